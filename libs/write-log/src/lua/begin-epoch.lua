#!lua flags=allow-oom
-- The spreadsheet was rolled back (an older version restored): what it contains is told anew from here on, and nothing is sent again.
--
-- KEYS[1] base of the spreadsheet's keys
-- ARGV    1 the new epoch  2 highest batch number that the spreadsheet shows
-- Replies 1, or 0 while a batch is frozen: it has to be decided first
--- @include "keys"
if redis.call('EXISTS', batchKey) == 1 then return 0 end
redis.call('HSET', marksKey, 'epoch', ARGV[1], 'batchNumber', ARGV[2])
return 1
