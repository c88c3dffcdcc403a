#!lua flags=allow-oom
-- A call was answered: it counts from now, and is added again where its lease had ended. A settled call stays as it is.
--
-- KEYS    six per quota (includes/quota.lua)
-- ARGV    1 lane  2 reservation id  3.. rules of each quota as JSON
-- Replies JSON (includes/reply.lua)
--- @include "now-ms"
--- @include "quota"
--- @include "reply"
local lane, id = ARGV[1], ARGV[2]
local now = nowMs()
local quotas = openQuotas(3, now)
for _, quota in ipairs(quotas) do putCall(quota, lane, id, now, now) end
return replyWith(quotas, now)
