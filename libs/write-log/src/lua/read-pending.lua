-- Reads log entries in order. A number without an entry was set aside.
--
-- KEYS[1] base of the spreadsheet's keys
-- ARGV    1 first number  2 how many numbers to look at
-- Replies a list: number, entry or '', number, entry or '' ...
--- @include "keys"
local first, count = tonumber(ARGV[1]), tonumber(ARGV[2])
local tail = mark('tail')
local found = {}
for number = first, math.min(tail, first + count - 1) do
  found[#found + 1] = number
  found[#found + 1] = redis.call('HGET', logKey, number) or ''
end
return found
