#!lua flags=allow-oom
-- The upstream refused a call: closes the quota, learns the limit it stated, estimates what others use.
-- As noteRefusal in policy/foreign-use.ts, which says why.
--
-- KEYS    six, of one quota (includes/quota.lua)
-- ARGV    1 the limit that the refusal stated, 0 for none  2 rules of the quota as JSON
-- Replies JSON (includes/reply.lua)
--- @include "now-ms"
--- @include "quota"
--- @include "reply"
local statedLimit = tonumber(ARGV[1])
local now = nowMs()
local quota = openQuotas(2, now)[1]
local rules = quota.rules

local function remember(field, value)
  quota.state[field] = string.format('%d', value)
  redis.call('HSET', quota.stateKey, field, quota.state[field])
end

if statedLimit > 0 then
  remember('learntLimit', rules.learntLimitMax > 0 and math.min(statedLimit, rules.learntLimitMax) or statedLimit)
end

local closedUntilMs = stateNumber(quota, 'closedUntilMs')
if now >= closedUntilMs then
  local closedForMs = stateNumber(quota, 'closedForMs')
  local again = closedForMs > 0 and now < closedUntilMs + rules.windowMs
  local closeMs = again and math.min(closedForMs * 2, rules.windowMs) or rules.closeMs
  remember('closedForMs', closeMs)
  remember('closedUntilMs', now + closeMs)

  local base = baseLimitOf(quota)
  local ownCalls = redis.call('ZCOUNT', quota.logKey, '-inf', string.format('%d', now))
  if ownCalls < base then
    local before = foreignCallsOf(quota, now)
    remember('foreignEpisodes', before > 0 and math.min(stateNumber(quota, 'foreignEpisodes') + 1, EPISODES_MAX) or 1)
    remember('foreignCalls', math.min(math.max(before, base - ownCalls), math.floor(base * FOREIGN_SHARE_MAX)))
    remember('foreignSinceMs', now)
  end
end
recount(quota, now)
return replyWith({ quota }, now)
