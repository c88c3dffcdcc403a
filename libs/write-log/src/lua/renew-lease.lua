#!lua flags=allow-oom
-- KEYS[1] base of the spreadsheet's keys
-- ARGV    1 lease token  2 duration in ms (0 gives the lease back)
-- Replies 1, or 0 where the lease is somebody else's
--- @include "keys"
if redis.call('GET', leaseKey) ~= ARGV[1] then return 0 end
if ARGV[2] == '0' then redis.call('DEL', leaseKey) else redis.call('PEXPIRE', leaseKey, ARGV[2]) end
return 1
