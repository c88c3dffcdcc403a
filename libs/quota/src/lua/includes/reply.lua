-- What every script answers: JSON, with the fields of PolicyReply in policy/quota-policy.ts.
local function factsOf(quota, now)
  redis.call('PEXPIRE', quota.stateKey, string.format('%d', STATE_KEPT_MS))
  return {
    consumed = quota.total,
    limit = baseLimitOf(quota),
    limitInForce = quota.limitInForce,
    mode = quota.state.mode or 'direct',
    resetAtMs = quota.total == 0 and 0 or freedAtMs(quota, quota.logKey, 1, now),
    closedUntilMs = stateNumber(quota, 'closedUntilMs'),
    foreignCalls = foreignCallsOf(quota, now),
    learntLimit = stateNumber(quota, 'learntLimit'),
    modeChanges = stateNumber(quota, 'modeChanges'),
  }
end

local function replyWith(quotas, now, refusal)
  local facts = {}
  for place, quota in ipairs(quotas) do facts[place] = factsOf(quota, now) end
  return cjson.encode({ nowMs = now, refusal = refusal, quotas = facts })
end
