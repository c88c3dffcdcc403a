#!lua flags=allow-oom
-- Stores a fetched sheet as its snapshot, unless it contains less than the stored one, and trims the log to what it lacks.
--
-- KEYS[1] base of the spreadsheet's keys
-- ARGV    1 sheet id  2 id of the new snapshot  3 last log number that it contains  4 ms since the fetch was sent  5 snapshot as JSON
--         6 tab as JSON  7 version that the caller compared it with, or ''  8 '1': a reader would see no difference
--         9 epoch of the log that the numbers are of  10 '1': stored even if it contains less (tests only)
--         11 rows and columns of the grid, separated by a blank  12 rows down to the last with content  13 '1': appended rows are inserted
-- Replies { last log number that the stored snapshot contains now }
local base, sheetId, snapshotId, through = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3])
local sheet, log, marks = base .. 'sheet:' .. sheetId, base .. 'log', base .. 'marks'
local time = redis.call('TIME')
local fetchedAtMs = time[1] * 1000 + math.floor(time[2] / 1000) - tonumber(ARGV[4])
local stored = redis.call('HMGET', sheet, 'through', 'fetchedAtMs', 'version', 'epoch')
-- A new epoch begins where the spreadsheet was rolled back: then less is what there is. The first epoch of all begins with the first write.
local rolledBack = stored[4] and stored[4] ~= '' and stored[4] ~= ARGV[9]
local storedThrough = rolledBack and -1 or tonumber(stored[1] or '0')
local older = through < storedThrough or (through == storedThrough and stored[2] and fetchedAtMs < tonumber(stored[2]))
if older and ARGV[10] ~= '1' then
  return { storedThrough }
end

redis.call('SET', sheet .. ':snapshot', ARGV[5])
redis.call('HSET', sheet, 'through', through, 'fetchedAtMs', fetchedAtMs, 'epoch', ARGV[9], 'usedRows', ARGV[12], 'insertsRows', ARGV[13],
  'snapshotId', snapshotId)
redis.call('HSET', base .. 'grids', sheetId, ARGV[11])
redis.call('HSET', base .. 'tabs', sheetId, ARGV[6])

local applied = tonumber(redis.call('HGET', marks, 'appliedThrough') or '0')
local settled = rolledBack and applied or math.min(through, applied)
for _, number in ipairs(redis.call('ZRANGEBYSCORE', sheet .. ':log', '-inf', settled)) do
  redis.call('HDEL', log, number)
  local receipt = redis.call('HMGET', base .. 'receipt:' .. number, 'operation', 'keys')
  if receipt[1] == 'append' then
    for _, rowKey in ipairs(cjson.decode(receipt[2])) do
      if redis.call('HGET', sheet .. ':new-keys', rowKey) == number then redis.call('HDEL', sheet .. ':new-keys', rowKey) end
    end
  end
end
redis.call('ZREMRANGEBYSCORE', sheet .. ':log', '-inf', settled)

local version = stored[3]
if not version or rolledBack or ARGV[8] ~= '1' or version ~= ARGV[7] then
  version = string.format('%d-%s', redis.call('HINCRBY', sheet, 'counter', 1), snapshotId)
  -- The base changes only where a reader would see it: those who know the same base and every later write need not load anything.
  redis.call('HSET', sheet, 'version', version, 'baseId', snapshotId)
end
return { through }
