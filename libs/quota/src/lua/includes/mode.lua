-- Degraded above the trigger or from the first refused direct reservation; direct again below the exit, after a least stay.
-- As in policy/mode.ts.
local function changeMode(quota, mode, now)
  quota.state.mode = mode
  quota.state.modeChanges = tostring(stateNumber(quota, 'modeChanges') + 1)
  redis.call('HSET', quota.stateKey, 'mode', mode, 'modeChanges', quota.state.modeChanges)
  if mode == 'degraded' then
    quota.state.degradedSinceMs = string.format('%d', now)
    redis.call('HSET', quota.stateKey, 'degradedSinceMs', quota.state.degradedSinceMs)
  end
end

local function isDegraded(quota) return quota.state.mode == 'degraded' end

local function enterDegraded(quota, now)
  if not isDegraded(quota) then changeMode(quota, 'degraded', now) end
end

local function updateMode(quota, now)
  if not isDegraded(quota) then
    if quota.total > quota.trigger then changeMode(quota, 'degraded', now) end
  elseif quota.total < quota.exitBelow and now >= stateNumber(quota, 'degradedSinceMs') + quota.rules.minDegradedMs then
    changeMode(quota, 'direct', now)
  end
end
