-- Stores what a spreadsheet is beside its cells: its own properties and those of its sheets.
--
-- KEYS[1] base of the spreadsheet's keys
-- ARGV    1 id of this version  2 ms since the fetch was sent  3 the spreadsheet without its sheets, as JSON
--         4 '1': the sheets that follow are all that there are  5... sheet id, sheet as JSON, sheet id, sheet as JSON ...
-- Replies 1, or 0 where a fetch that was sent later is stored already
local book, sheets = KEYS[1] .. 'book', KEYS[1] .. 'book-sheets'
local time = redis.call('TIME')
local fetchedAtMs = time[1] * 1000 + math.floor(time[2] / 1000) - tonumber(ARGV[2])
local stored = redis.call('HGET', book, 'fetchedAtMs')
if stored and tonumber(stored) > fetchedAtMs then return 0 end
if ARGV[4] == '1' then redis.call('DEL', sheets) end
for at = 5, #ARGV, 2 do redis.call('HSET', sheets, ARGV[at], ARGV[at + 1]) end
redis.call('HSET', book, 'version', ARGV[1], 'fetchedAtMs', fetchedAtMs, 'head', ARGV[3])
return 1
