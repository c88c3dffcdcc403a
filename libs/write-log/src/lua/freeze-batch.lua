#!lua flags=allow-oom
-- Freezes a batch before it is sent: from now on it is re-sent as it is until it is decided. Only the holder of the writer lease may.
--
-- KEYS[1] base of the spreadsheet's keys
-- ARGV    1 lease token  2 lease duration in ms  3 batch as JSON  4 last number of the batch  5 numbers sent, as a JSON array
--         6 state of their receipts: 'sending' or 'unknown'
-- Replies 1, or 0 where the lease is somebody else's, or the batch is settled already, or a write of a batch that is not frozen yet was cancelled
--- @include "keys"
--- @include "now-ms"
if redis.call('GET', leaseKey) ~= ARGV[1] then return 0 end
-- A reader may have found its commit entry and settled it meanwhile: frozen again, its receipts would never become final.
if tonumber(ARGV[4]) <= mark('appliedThrough') then return 0 end
if redis.call('EXISTS', batchKey) == 0 then
  for _, number in ipairs(cjson.decode(ARGV[5])) do
    if redis.call('HEXISTS', logKey, number) == 0 then return 0 end
  end
end
redis.call('PEXPIRE', leaseKey, ARGV[2])
redis.call('SET', batchKey, ARGV[3])
redis.call('HSET', marksKey, 'sendingThrough', ARGV[4])
local now = nowMs()
if ARGV[6] == 'unknown' then redis.call('HSET', marksKey, 'unknownAtMs', now) end
for _, number in ipairs(cjson.decode(ARGV[5])) do
  redis.call('HSET', receiptKey(number), 'state', ARGV[6])
  redis.call('HSETNX', receiptKey(number), 'sentAtMs', now)
end
return 1
