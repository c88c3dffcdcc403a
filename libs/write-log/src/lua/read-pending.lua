-- Reads log entries in order. A number without an entry was set aside.
--
-- KEYS[1] base of the spreadsheet's keys
-- ARGV    1 first number  2 how many numbers to look at  3 bytes of entries after which to stop; the first is given whatever its size
-- Replies a list: number, entry or '', number, entry or '' ...
--- @include "keys"
local first, count, bytesMax = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local tail = mark('tail')
local found, bytes = {}, 0
for number = first, math.min(tail, first + count - 1) do
  local entry = redis.call('HGET', logKey, number) or ''
  bytes = bytes + #entry
  if bytes > bytesMax and bytes > #entry then break end
  found[#found + 1] = number
  found[#found + 1] = entry
end
return found
