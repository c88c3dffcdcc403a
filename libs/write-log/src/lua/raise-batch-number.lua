#!lua flags=allow-oom
-- The spreadsheet holds commit entries with higher numbers than we remember: go on above them.
--
-- KEYS[1] base of the spreadsheet's keys
-- ARGV    1 highest number seen
--- @include "keys"
if tonumber(ARGV[1]) > mark('batchNumber') then redis.call('HSET', marksKey, 'batchNumber', ARGV[1]) end
return 1
