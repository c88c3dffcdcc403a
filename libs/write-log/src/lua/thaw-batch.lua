#!lua flags=allow-oom
-- Takes back a frozen batch of which it is certain that the upstream has not applied it and never will.
--
-- KEYS[1] base of the spreadsheet's keys
-- ARGV    1 batch id  2 numbers of its writes, as a JSON array  3 '1': its number is used up  4 attempts that the caller knows of
-- Replies 1, or 0 where another batch is frozen, or somebody has sent this one again since: what is certain of the caller's attempt is not
-- certain of that one. Once the number is used up no attempt matters any more.
--- @include "keys"
local frozen = redis.call('GET', batchKey)
if not frozen or cjson.decode(frozen).id ~= ARGV[1] then return 0 end
if ARGV[3] ~= '1' and cjson.decode(frozen).attempts ~= tonumber(ARGV[4]) then return 0 end
redis.call('DEL', batchKey)
redis.call('HSET', marksKey, 'sendingThrough', mark('appliedThrough'))
if ARGV[3] == '1' then redis.call('HSET', marksKey, 'batchNumber', cjson.decode(frozen).number) end
for _, number in ipairs(cjson.decode(ARGV[2])) do
  -- The verdict against a write of the batch stands: it was set aside, and only the others wait again.
  local state = redis.call('HGET', receiptKey(number), 'state')
  if state == 'sending' or state == 'unknown' then
    redis.call('HSET', receiptKey(number), 'state', 'accepted')
    redis.call('HDEL', receiptKey(number), 'sentAtMs')
  end
end
return 1
