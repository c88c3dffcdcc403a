#!lua flags=allow-oom
-- Takes the writer lease where nobody holds it. A script, since a plain SET is refused while Redis is full: the drain makes room.
--
-- KEYS[1] base of the spreadsheet's keys
-- ARGV    1 lease token  2 duration in ms
-- Replies 1, or 0 where somebody holds it
--- @include "keys"
return redis.call('SET', leaseKey, ARGV[1], 'PX', ARGV[2], 'NX') and 1 or 0
