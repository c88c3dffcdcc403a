#!lua flags=allow-oom
-- After a reconnect: puts a live reservation back where Redis has lost it. A present one stays as it is.
--
-- KEYS    six per quota (includes/quota.lua)
-- ARGV    1 lane  2 reservation id  3 end of its lease (ms, Redis's clock)  4.. rules of each quota as JSON
-- Replies JSON (includes/reply.lua)
--- @include "now-ms"
--- @include "quota"
--- @include "reply"
local lane, id, leaseEndMs = ARGV[1], ARGV[2], tonumber(ARGV[3])
local now = nowMs()
local quotas = openQuotas(4, now)
for _, quota in ipairs(quotas) do
  if leaseEndMs >= now - quota.rules.windowMs and not redis.call('ZSCORE', quota.logKey, id) then
    putCall(quota, lane, id, leaseEndMs, now)
  end
end
return replyWith(quotas, now)
