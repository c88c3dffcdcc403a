-- A sheet's version changes with its content. The counter orders; the transition's id tells apart two histories that share a count.
local function bumpVersion(sheetId, transition)
  local counter = redis.call('HINCRBY', sheetKey(sheetId), 'counter', 1)
  local version = string.format('%d-%s', counter, transition)
  redis.call('HSET', sheetKey(sheetId), 'version', version)
  return version
end
