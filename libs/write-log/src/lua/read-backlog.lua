-- How much of a spreadsheet is pending, for operators. Changes nothing.
--
-- KEYS[1] base of the spreadsheet's keys
-- ARGV    1 how many numbers to look at for the oldest pending write: those at the front may have been set aside
-- Replies { spreadsheet id or '', pending writes, ms since the oldest of them was accepted (-1: none found) }
--- @include "keys"
--- @include "now-ms"
local tail, applied = mark('tail'), mark('appliedThrough')
local pending = math.max(0, tail - applied - redis.call('ZCOUNT', setAsideKey, applied + 1, tail))
local age = -1
for number = applied + 1, math.min(tail, applied + tonumber(ARGV[1])) do
  if redis.call('HEXISTS', logKey, number) == 1 then
    local acceptedAt = redis.call('HGET', receiptKey(number), 'acceptedAtMs')
    age = acceptedAt and math.max(0, nowMs() - tonumber(acceptedAt)) or -1
    break
  end
end
return { redis.call('HGET', marksKey, 'spreadsheetId') or '', pending, age }
