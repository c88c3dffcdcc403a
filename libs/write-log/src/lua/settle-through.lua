-- Marks everything up to a number as decided: the writes of an applied batch, or only numbers that were set aside.
-- Whoever learns from the spreadsheet that a batch was applied may say so, with or without the lease; saying it twice changes nothing.
--
-- KEYS[1] base of the spreadsheet's keys
-- ARGV    1 last number  2 batch number, or 0  3 batch id, or ''  4 numbers that were applied, as a JSON array
--         5 lifetime of a final receipt in seconds
-- Replies 1, or 0 where it was settled before
--- @include "keys"
--- @include "now-ms"
local through, batchNumber = tonumber(ARGV[1]), tonumber(ARGV[2])
local frozen = redis.call('GET', batchKey)
if frozen and ARGV[3] ~= '' and cjson.decode(frozen).id == ARGV[3] then redis.call('DEL', batchKey) end
if batchNumber > mark('batchNumber') then redis.call('HSET', marksKey, 'batchNumber', batchNumber) end
if through <= mark('appliedThrough') then return 0 end
redis.call('HSET', marksKey, 'appliedThrough', through)
if mark('sendingThrough') < through then redis.call('HSET', marksKey, 'sendingThrough', through) end
local now = nowMs()
for _, number in ipairs(cjson.decode(ARGV[4])) do
  redis.call('HSET', receiptKey(number), 'state', 'applied', 'settledAtMs', now)
  redis.call('EXPIRE', receiptKey(number), ARGV[5])
end
return 1
