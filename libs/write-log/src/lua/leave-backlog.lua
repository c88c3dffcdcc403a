#!lua flags=allow-oom
-- Takes a spreadsheet out of the backlog, unless it had another accept since it was looked at.
--
-- KEYS[1] the backlog
-- ARGV    1 tag of the spreadsheet  2 time of the accept that was seen
-- Replies 1, or 0 where it stays
if tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or '-1') ~= tonumber(ARGV[2]) then return 0 end
return redis.call('ZREM', KEYS[1], ARGV[1])
