-- Gives a write that was set aside a new number, at the end of the log, and a receipt of its own; the old receipt names it.
--
-- KEYS[1] base of the spreadsheet's keys
-- ARGV    1 number of the write  2 tag  3 random suffix of the new write id  4 cells that a workbook can have
--         5 share of Redis's maxmemory from which nothing is accepted
-- Replies { 'released', new number, new id } | { 'not-failed', state } | { 'released-before', id }
--         | { 'workbook-full', cells that it will have without this write, cells needed more } | { 'redis-full', bytes used, bytes at most }
--- @include "keys"
--- @include "now-ms"
--- @include "bump-version"
--- @include "redis-memory"
--- @include "workbook-cells"
local old = receiptKey(ARGV[1])
local fields = redis.call('HMGET', old, 'state', 'entry', 'releasedAs', 'sheetId', 'sheet', 'operation', 'keys')
if fields[3] then return { 'released-before', fields[3] } end
if fields[1] ~= 'failed' and fields[1] ~= 'cancelled' or not fields[2] then return { 'not-failed', fields[1] or '' } end

local full = redisFull(tonumber(ARGV[5]))
if full then return full end

local sheetId = fields[4]
if fields[6] == 'append' then
  local cells, more = workbookCells(sheetId, #cjson.decode(fields[7]))
  if more > 0 and cells + more > tonumber(ARGV[4]) then return { 'workbook-full', cells, more } end
end
local number = redis.call('HINCRBY', marksKey, 'tail', 1)
local id = ARGV[2] .. '-' .. number .. '-' .. ARGV[3]
redis.call('HSET', logKey, number, fields[2])
redis.call('ZADD', sheetLogKey(sheetId), number, number)
if fields[6] == 'append' then
  for _, rowKey in ipairs(cjson.decode(fields[7])) do redis.call('HSETNX', newKeysKey(sheetId), rowKey, number) end
end
redis.call('HSET', receiptKey(number), 'id', id, 'state', 'accepted', 'sheetId', sheetId, 'sheet', fields[5],
  'operation', fields[6], 'keys', fields[7], 'acceptedAtMs', nowMs(), 'releaseOf', redis.call('HGET', old, 'id'))
redis.call('HSET', old, 'releasedAs', id)
redis.call('HDEL', old, 'entry')
redis.call('ZREM', setAsideKey, ARGV[1])
bumpVersion(sheetId, ARGV[3])
return { 'released', number, id }
