-- May a call of a lane be made now? As in policy/decide.ts, which says why.
-- Gives nothing (granted), or a reason and the earliest instant at which time alone can change the answer.
local function directAgainAtMs(quota, now)
  local stayedAtMs = stateNumber(quota, 'degradedSinceMs') + quota.rules.minDegradedMs
  local surplus = quota.total - quota.exitBelow + 1
  if surplus <= 0 then return stayedAtMs end
  return math.max(stayedAtMs, freedAtMs(quota, quota.logKey, surplus, now))
end

local function rampMax(quota, now)
  local closedUntilMs = stateNumber(quota, 'closedUntilMs')
  local openForMs = now - closedUntilMs
  if closedUntilMs == 0 or openForMs >= quota.rules.rampMs then return quota.hardMax end
  return math.max(1, math.floor(quota.hardMax * openForMs / quota.rules.rampMs))
end

local function rampReachesAtMs(quota, total)
  return stateNumber(quota, 'closedUntilMs') + math.ceil(quota.rules.rampMs * total / quota.hardMax)
end

local function keptForOthers(quota, lane, now)
  local calls, untilMs = 0, math.huge
  for _, other in ipairs(LANES) do
    local askedAtMs = tonumber(quota.state['demand:' .. other])
    local demandUntilMs = askedAtMs and askedAtMs + quota.rules.demandMs
    if other ~= lane and demandUntilMs and demandUntilMs > now then
      local missing = floorOf(quota, other) - ownOf(quota, other)
      if missing > 0 then
        calls = calls + missing
        untilMs = math.min(untilMs, demandUntilMs)
      end
    end
  end
  return calls, untilMs
end

local function decide(quota, lane, now)
  local total = quota.total
  local function freed(k) return freedAtMs(quota, quota.logKey, k, now) end

  local closedUntilMs = stateNumber(quota, 'closedUntilMs')
  if now < closedUntilMs then return 'closed', closedUntilMs end
  if lane == 'direct' and isDegraded(quota) then return 'degraded', directAgainAtMs(quota, now) end
  if total >= quota.hardMax then return 'hard-max', freed(total - quota.hardMax + 1) end

  local ramp = rampMax(quota, now)
  if total >= ramp then return 'ramp', math.min(freed(total - ramp + 1), rampReachesAtMs(quota, total + 1)) end

  local kept, keptUntilMs = keptForOthers(quota, lane, now)
  if total + kept >= quota.hardMax then
    local byWindow = total == 0 and math.huge or freed(math.min(total, total + kept - quota.hardMax + 1))
    return 'floor-of-others', math.min(byWindow, keptUntilMs)
  end

  local own, ownMax, ceiling = ownOf(quota, lane), ownMaxOf(quota, lane), ceilingOf(quota, lane)
  if own >= ownMax then return 'own-max', freedAtMs(quota, quota.laneKeys[lane], own - ownMax + 1, now) end
  if own >= floorOf(quota, lane) and total >= ceiling then return 'ceiling', freed(total - ceiling + 1) end
end

-- Asks every quota; of several that refuse, the answer is that of the one which refuses longest.
local function ask(quotas, lane, now)
  local refusal
  for place, quota in ipairs(quotas) do
    if quota.rules.lanes[lane].floor > 0 then
      quota.state['demand:' .. lane] = string.format('%d', now)
      redis.call('HSET', quota.stateKey, 'demand:' .. lane, quota.state['demand:' .. lane])
    end
    local reason, retryAtMs = decide(quota, lane, now)
    if reason then
      if lane == 'direct' then
        enterDegraded(quota, now)
        retryAtMs = math.max(retryAtMs, directAgainAtMs(quota, now))
      end
      if not refusal or retryAtMs > refusal.retryAtMs then
        refusal = { quota = place - 1, reason = reason, retryAtMs = retryAtMs }
      end
    end
  end
  return refusal
end
