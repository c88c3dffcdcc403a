-- A quota as a script sees it. KEYS holds six keys per quota, in this order:
--   state hash, log of all calls, logs of the lanes direct, drain, refresh, cold (sorted sets, member = reservation id).
-- A score is the instant from which a call counts for one window: in flight, the end of its lease; answered, its answer.
-- It counts through score + window: a millisecond is named by its beginning, so the answer may have come almost one later.
--- @include "foreign-use"
--- @include "counts"
--- @include "mode"
local LANES = { 'direct', 'drain', 'refresh', 'cold' }
local KEYS_PER_QUOTA = 6
-- State outlives calls by far: a learnt limit and foreign use are still true after a quiet weekend.
local STATE_KEPT_MS = 7 * 24 * 60 * 60 * 1000

local function recount(quota, now)
  quota.limitInForce = limitInForceOf(quota, now)
  countLimits(quota)
  quota.total = redis.call('ZCARD', quota.logKey)
  updateMode(quota, now)
end

-- Brings quota number `place` (from 1) to `now`: old calls gone, mode up to date.
local function openQuota(place, rulesJson, now)
  local first = (place - 1) * KEYS_PER_QUOTA
  local quota = { rules = cjson.decode(rulesJson), stateKey = KEYS[first + 1], logKey = KEYS[first + 2], laneKeys = {}, state = {} }
  for index, lane in ipairs(LANES) do quota.laneKeys[lane] = KEYS[first + 2 + index] end
  local fields = redis.call('HGETALL', quota.stateKey)
  for index = 1, #fields, 2 do quota.state[fields[index]] = fields[index + 1] end

  local old = string.format('(%d', now - quota.rules.windowMs)
  if redis.call('ZREMRANGEBYSCORE', quota.logKey, '-inf', old) > 0 then
    for _, key in pairs(quota.laneKeys) do redis.call('ZREMRANGEBYSCORE', key, '-inf', old) end
  end
  recount(quota, now)
  return quota
end

-- `firstRules`: the place in ARGV of the first quota's rules; those of the others follow.
local function openQuotas(firstRules, now)
  local quotas = {}
  for place = 1, #KEYS / KEYS_PER_QUOTA do quotas[place] = openQuota(place, ARGV[firstRules + place - 1], now) end
  return quotas
end

local function putCall(quota, lane, id, score, now)
  local keptMs = string.format('%d', quota.rules.leaseMs + quota.rules.windowMs + 1000)
  for _, key in ipairs({ quota.logKey, quota.laneKeys[lane] }) do
    redis.call('ZADD', key, string.format('%d', score), id)
    redis.call('PEXPIRE', key, keptMs)
  end
  recount(quota, now)
end

local function ownOf(quota, lane) return redis.call('ZCARD', quota.laneKeys[lane]) end

-- When the `k` oldest calls of a log can be gone at the earliest; one in flight is not answered before now.
local function freedAtMs(quota, key, k, now)
  local oldest = redis.call('ZRANGE', key, k - 1, k - 1, 'WITHSCORES')
  if #oldest == 0 then return now end
  return math.min(tonumber(oldest[2]), now) + quota.rules.windowMs + 1
end
