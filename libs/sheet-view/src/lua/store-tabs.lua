-- Replaces what is known of a spreadsheet's tabs by a complete list.
--
-- KEYS[1] base of the spreadsheet's keys
-- ARGV    1 lifetime of the statement "these are all" in ms  2... sheet id, tab as JSON, sheet id, tab as JSON ...
local tabs = KEYS[1] .. 'tabs'
redis.call('DEL', tabs)
for at = 2, #ARGV, 2 do redis.call('HSET', tabs, ARGV[at], ARGV[at + 1]) end
redis.call('SET', KEYS[1] .. 'tabs-complete', '1', 'PX', ARGV[1])
return 1
