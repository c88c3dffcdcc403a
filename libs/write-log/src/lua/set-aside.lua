#!lua flags=allow-oom
-- Takes writes out of the log and the view, with the reason on their receipts; the entry is kept there for a release.
--
-- KEYS[1] base of the spreadsheet's keys
-- ARGV    1 state: 'failed' or 'cancelled'  2 a JSON array of { number, code, message }  3 id of this transition
--         4 lifetime of a final receipt in seconds  5 '1': only writes that no frozen batch carries
-- Replies how many were set aside now
--- @include "keys"
--- @include "now-ms"
--- @include "bump-version"
local count, now = 0, nowMs()
local frozenThrough = ARGV[5] == '1' and redis.call('EXISTS', batchKey) == 1 and mark('sendingThrough') or 0
for _, verdict in ipairs(cjson.decode(ARGV[2])) do
  local number = string.format('%d', verdict.number)
  local entry = verdict.number > frozenThrough and redis.call('HGET', logKey, number)
  if entry and verdict.number > mark('appliedThrough') then
    count = count + 1
    local receipt = receiptKey(number)
    local sheetId = redis.call('HGET', receipt, 'sheetId')
    redis.call('HDEL', logKey, number)
    redis.call('HSET', receipt, 'state', ARGV[1], 'settledAtMs', now, 'code', verdict.code, 'message', verdict.message, 'entry', entry)
    redis.call('EXPIRE', receipt, ARGV[4])
    redis.call('ZREM', sheetLogKey(sheetId), number)
    redis.call('ZADD', setAsideKey, number, number)
    redis.call('EXPIRE', setAsideKey, ARGV[4])
    for _, rowKey in ipairs(cjson.decode(redis.call('HGET', receipt, 'keys'))) do
      if redis.call('HGET', newKeysKey(sheetId), rowKey) == number then redis.call('HDEL', newKeysKey(sheetId), rowKey) end
    end
    redis.call('HINCRBY', sheetKey(sheetId), 'removals', 1)
    bumpVersion(sheetId, ARGV[3])
  end
end
return count
