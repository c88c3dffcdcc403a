#!lua flags=allow-oom
-- Takes a place for one call in every quota that it counts against, or in none.
--
-- KEYS    six per quota (includes/quota.lua)
-- ARGV    1 lane  2 reservation id  3 '1' to enforce, '0' to count without refusing  4.. rules of each quota as JSON
-- Replies JSON (includes/reply.lua); without `refusal` the places are taken. Instants in ms of Redis's clock.
--
-- allow-oom: the drain needs a place to make room for others.
--- @include "now-ms"
--- @include "quota"
--- @include "decide"
--- @include "reply"
local lane, id, enforce = ARGV[1], ARGV[2], ARGV[3] == '1'
local now = nowMs()
local quotas = openQuotas(4, now)
local refusal = ask(quotas, lane, now)
if not refusal or not enforce then
  for _, quota in ipairs(quotas) do putCall(quota, lane, id, now + quota.rules.leaseMs, now) end
end
return replyWith(quotas, now, refusal)
