-- Accepts a write: log entry, receipt, idempotency record, the sheet's new version; all or nothing.
--
-- KEYS[1] base of the spreadsheet's keys
-- ARGV    1 tag  2 spreadsheet id  3 random suffix of the write id  4 sheet id  5 sheet title  6 operation kind
--         7 entry as JSON (without its number)  8 row keys as a JSON array  9 digest of the Idempotency-Key, or ''
--         10 digest of the body  11 lifetime of an idempotency record in seconds
--         12 cells that a workbook can have  13 cells from which it is nearly full
--         14 share of Redis's maxmemory from which nothing is accepted
-- Replies { 'accepted', number, write id, 1 where the workbook becomes nearly full by it } | { 'repeated', number, write id }
--         | { 'key-reused' } | { 'key-taken', row key } | { 'workbook-full', cells that it will have without this write, cells needed more }
--         | { 'redis-full', bytes used, bytes at most }
--- @include "keys"
--- @include "now-ms"
--- @include "bump-version"
--- @include "redis-memory"
--- @include "workbook-cells"
local tag, spreadsheetId, suffix, sheetId, title, kind, entry = unpack(ARGV, 1, 7)
local rowKeys = cjson.decode(ARGV[8])
local idempotency, digest, idempotencyTtlS = ARGV[9], ARGV[10], ARGV[11]

if idempotency ~= '' then
  local known = redis.call('GET', base .. 'idem:' .. idempotency)
  if known then
    local number, id, knownDigest = string.match(known, '^(%d+):([^:]+):(.*)$')
    if knownDigest ~= digest then return { 'key-reused' } end
    return { 'repeated', tonumber(number), id }
  end
end

local full = redisFull(tonumber(ARGV[14]))
if full then return full end

if kind == 'append' then
  for _, rowKey in ipairs(rowKeys) do
    if redis.call('HEXISTS', newKeysKey(sheetId), rowKey) == 1 then return { 'key-taken', rowKey } end
  end
end

local nearlyFull = 0
if kind == 'append' then
  local cells, more = workbookCells(sheetId, #rowKeys)
  if more > 0 and cells + more > tonumber(ARGV[12]) then return { 'workbook-full', cells, more } end
  nearlyFull = noteFill(cells + more, tonumber(ARGV[13]))
end

local number = redis.call('HINCRBY', marksKey, 'tail', 1)
if number == 1 then redis.call('HSETNX', marksKey, 'epoch', suffix) end
redis.call('HSET', marksKey, 'spreadsheetId', spreadsheetId)
local id = tag .. '-' .. number .. '-' .. suffix
redis.call('HSET', logKey, number, entry)
redis.call('ZADD', sheetLogKey(sheetId), number, number)
for _, rowKey in ipairs(rowKeys) do
  if kind == 'append' then redis.call('HSET', newKeysKey(sheetId), rowKey, number) end
  if kind == 'delete' then redis.call('HDEL', newKeysKey(sheetId), rowKey) end
end
redis.call('HSET', receiptKey(number), 'id', id, 'state', 'accepted', 'sheetId', sheetId, 'sheet', title,
  'operation', kind, 'keys', ARGV[8], 'acceptedAtMs', nowMs())
if idempotency ~= '' then
  redis.call('SET', base .. 'idem:' .. idempotency, number .. ':' .. id .. ':' .. digest, 'EX', idempotencyTtlS)
end
bumpVersion(sheetId, suffix)
return { 'accepted', number, id, nearlyFull }
