#!lua flags=allow-oom
-- What reserve-call would answer. Counts as demand of the lane, takes no place.
--
-- KEYS    six per quota (includes/quota.lua)
-- ARGV    1 lane  2.. rules of each quota as JSON
-- Replies JSON (includes/reply.lua)
--- @include "now-ms"
--- @include "quota"
--- @include "decide"
--- @include "reply"
local now = nowMs()
local quotas = openQuotas(2, now)
return replyWith(quotas, now, ask(quotas, ARGV[1], now))
