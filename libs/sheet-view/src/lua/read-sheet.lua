-- Reads what has changed of a sheet since a process last looked, in one trip; next to nothing where nothing has.
--
-- KEYS[1] base of the spreadsheet's keys
-- ARGV    1 sheet id  2 version known, or ''  3 base known, or ''  4 removals known  5 last log number applied
--         6 'cells': every snapshot counts as another base, also one that a reader of rows would not tell from the one before
-- Replies { version, snapshot's age in ms (-1: there is no snapshot), pending writes of the sheet }, and where the version differs also
--         { ..., base, removals, through, snapshot or '' (the known one will do), number, entry, number, entry ... }
local base, sheetId = KEYS[1], ARGV[1]
local sheet = base .. 'sheet:' .. sheetId
local fields = redis.call('HMGET', sheet, 'version', 'baseId', 'fetchedAtMs', 'through', 'removals', 'snapshotId')
local version, baseId, fetchedAtMs = fields[1] or '', fields[2] or '', fields[3]
if ARGV[6] == 'cells' then
  baseId = fields[6] or baseId
  version = version .. '/' .. baseId
end
local through, removals = tonumber(fields[4] or '0'), tonumber(fields[5] or '0')
local applied = redis.call('HGET', base .. 'marks', 'appliedThrough') or '0'
local pending = redis.call('ZCOUNT', sheet .. ':log', '(' .. applied, '+inf')
local time = redis.call('TIME')
local age = fetchedAtMs and math.max(0, time[1] * 1000 + math.floor(time[2] / 1000) - fetchedAtMs) or -1
if version == ARGV[2] then return { version, age, pending } end

local known = tonumber(ARGV[5])
local after, snapshot = through, ''
-- Entries up to `through` may be trimmed: who lacks one of them needs the snapshot.
if baseId == ARGV[3] and removals == tonumber(ARGV[4]) and known >= through then
  after = known
else
  snapshot = redis.call('GET', sheet .. ':snapshot') or ''
end
local reply = { version, age, pending, baseId, removals, through, snapshot }
for _, number in ipairs(redis.call('ZRANGEBYSCORE', sheet .. ':log', '(' .. after, '+inf')) do
  reply[#reply + 1] = tonumber(number)
  reply[#reply + 1] = redis.call('HGET', base .. 'log', number) or ''
end
return reply
