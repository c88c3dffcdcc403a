-- The absolute counts that follow from a quota's shares and the limit in force; as in policy/quota-rules.ts.
-- ROUNDING takes away what binary fractions add: 0.29 x 100 is 29.
local ROUNDING = 1e-9

local function shareOf(limit, share) return math.floor(limit * share + ROUNDING) end

local function countLimits(quota)
  local rules, limit = quota.rules, quota.limitInForce
  quota.hardMax = math.max(1, shareOf(limit, rules.hardMaxShare))
  quota.trigger = math.max(1, shareOf(limit, rules.triggerRatio))
  quota.exitBelow = math.max(1, math.ceil(limit * rules.exitRatio - ROUNDING))
end

local function ceilingOf(quota, lane) return math.max(1, shareOf(quota.limitInForce, quota.rules.lanes[lane].ceiling)) end
local function ownMaxOf(quota, lane) return math.max(1, shareOf(quota.limitInForce, quota.rules.lanes[lane].ownMax)) end
local function floorOf(quota, lane) return shareOf(quota.limitInForce, quota.rules.lanes[lane].floor) end
