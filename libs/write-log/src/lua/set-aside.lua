-- Takes writes out of the log and the view, with the reason on their receipts.
--
-- KEYS[1] base of the spreadsheet's keys
-- ARGV    1 state: 'failed' or 'cancelled'  2 a JSON array of { number, code, message }  3 id of this transition
--         4 lifetime of a final receipt in seconds
-- Replies how many were set aside now
--- @include "keys"
--- @include "now-ms"
--- @include "bump-version"
local count = 0
for _, verdict in ipairs(cjson.decode(ARGV[2])) do
  local number = string.format('%d', verdict.number)
  if redis.call('HDEL', logKey, number) == 1 then
    count = count + 1
    local receipt = receiptKey(number)
    local sheetId = redis.call('HGET', receipt, 'sheetId')
    redis.call('HSET', receipt, 'state', ARGV[1], 'settledAtMs', nowMs(), 'code', verdict.code, 'message', verdict.message)
    redis.call('EXPIRE', receipt, ARGV[4])
    redis.call('ZREM', sheetLogKey(sheetId), number)
    for _, rowKey in ipairs(cjson.decode(redis.call('HGET', receipt, 'keys'))) do
      if redis.call('HGET', newKeysKey(sheetId), rowKey) == number then redis.call('HDEL', newKeysKey(sheetId), rowKey) end
    end
    redis.call('HINCRBY', sheetKey(sheetId), 'removals', 1)
    bumpVersion(sheetId, ARGV[3])
  end
end
return count
