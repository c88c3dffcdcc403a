-- The limit in force: what the upstream states or the configuration says, less what others were seen to use.
-- As in policy/foreign-use.ts, which says why.
local FOREIGN_SHARE_MAX = 0.95
local EPISODES_MAX = 4

local function stateNumber(quota, field) return tonumber(quota.state[field] or '0') end

local function holdMsOf(quota)
  local episodes = math.min(math.max(stateNumber(quota, 'foreignEpisodes'), 1), EPISODES_MAX)
  return quota.rules.windowMs * 2 ^ (episodes - 1)
end

local function baseLimitOf(quota)
  local learnt = stateNumber(quota, 'learntLimit')
  return learnt > 0 and learnt or quota.rules.limit
end

local function foreignCallsOf(quota, now)
  local noticed = stateNumber(quota, 'foreignCalls')
  if noticed == 0 then return 0 end
  local holdMs = holdMsOf(quota)
  local fadedMs = now - stateNumber(quota, 'foreignSinceMs') - holdMs
  if fadedMs <= 0 then return noticed end
  return math.max(0, math.ceil(noticed * (1 - fadedMs / (2 * holdMs))))
end

local function limitInForceOf(quota, now) return math.max(1, baseLimitOf(quota) - foreignCallsOf(quota, now)) end
