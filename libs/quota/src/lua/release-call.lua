#!lua flags=allow-oom
-- A call was surely never sent: its places are free again.
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
for _, quota in ipairs(quotas) do
  redis.call('ZREM', quota.logKey, id)
  redis.call('ZREM', quota.laneKeys[lane], id)
  recount(quota, now)
end
return replyWith(quotas, now)
