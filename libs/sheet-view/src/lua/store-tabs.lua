#!lua flags=allow-oom
-- Replaces what is known of a spreadsheet's tabs by a complete list.
--
-- KEYS[1] base of the spreadsheet's keys
-- ARGV    1 lifetime of the statement "these are all" in ms
--         2... sheet id, tab as JSON, rows and columns of its grid separated by a blank, and so on
local tabs, grids = KEYS[1] .. 'tabs', KEYS[1] .. 'grids'
redis.call('DEL', tabs, grids)
for at = 2, #ARGV, 3 do
  redis.call('HSET', tabs, ARGV[at], ARGV[at + 1])
  redis.call('HSET', grids, ARGV[at], ARGV[at + 2])
end
redis.call('SET', KEYS[1] .. 'tabs-complete', '1', 'PX', ARGV[1])
return 1
