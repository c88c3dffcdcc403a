#!lua flags=allow-oom
-- The quotas as they are now.
--
-- KEYS    six per quota (includes/quota.lua)
-- ARGV    1.. rules of each quota as JSON
-- Replies JSON (includes/reply.lua)
--- @include "now-ms"
--- @include "quota"
--- @include "reply"
local now = nowMs()
return replyWith(openQuotas(1, now), now)
