#!lua flags=allow-oom
-- Holds back the next drain call of a spreadsheet.
--
-- KEYS[1] base of the spreadsheet's keys
-- ARGV    1 for how long in ms
redis.call('SET', KEYS[1] .. 'pace', '1', 'PX', ARGV[1])
return 1
