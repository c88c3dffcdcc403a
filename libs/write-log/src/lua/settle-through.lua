#!lua flags=allow-oom
-- Marks everything up to a number as decided: the writes of an applied batch, or only numbers that were set aside.
-- Whoever learns from the spreadsheet that a batch was applied may say so, with or without the lease; saying it twice changes nothing.
--
-- KEYS[1] base of the spreadsheet's keys
-- ARGV    1 last number  2 batch number, or 0  3 batch id, or ''  4 numbers that were applied, as a JSON array
--         5 lifetime of a final receipt in seconds  6 a JSON object: number -> where the write came to lie
-- Replies 1, or 0 where it was settled before
--- @include "keys"
--- @include "now-ms"

-- Writes that cancel each other out never come with a snapshot, which would trim them: left in the log, the delete among them would
-- hide a row of that key that a person makes later. Readers who have seen only some of them start from the snapshot again.
local function forget(number)
  local sheetId, rowKeys = unpack(redis.call('HMGET', receiptKey(number), 'sheetId', 'keys'))
  redis.call('HDEL', logKey, number)
  redis.call('ZREM', sheetLogKey(sheetId), number)
  redis.call('HINCRBY', sheetKey(sheetId), 'removals', 1)
  for _, rowKey in ipairs(cjson.decode(rowKeys)) do
    if tonumber(redis.call('HGET', newKeysKey(sheetId), rowKey)) == number then redis.call('HDEL', newKeysKey(sheetId), rowKey) end
  end
end

local through, batchNumber = tonumber(ARGV[1]), tonumber(ARGV[2])
local frozen = redis.call('GET', batchKey)
if frozen and ARGV[3] ~= '' and cjson.decode(frozen).id == ARGV[3] then redis.call('DEL', batchKey) end
if ARGV[3] ~= '' then redis.call('DEL', base .. 'waiting') end
if batchNumber > mark('batchNumber') then redis.call('HSET', marksKey, 'batchNumber', batchNumber) end
-- Also where a reader has found the commit entry and settled the batch before its answer was here.
for number, landed in pairs(cjson.decode(ARGV[6])) do
  if redis.call('EXISTS', receiptKey(number)) == 1 then redis.call('HSET', receiptKey(number), 'landed', landed) end
end
if through <= mark('appliedThrough') then return 0 end
redis.call('HSET', marksKey, 'appliedThrough', through)
if mark('sendingThrough') < through then redis.call('HSET', marksKey, 'sendingThrough', through) end
local now = nowMs()
for _, number in ipairs(cjson.decode(ARGV[4])) do
  redis.call('HSET', receiptKey(number), 'state', 'applied', 'settledAtMs', now)
  redis.call('EXPIRE', receiptKey(number), ARGV[5])
  if ARGV[3] == '' then forget(number) end
end
return 1
