-- Bytes that Redis uses, as it counts them against its bound, and the bound; 0: there is none. Asked in the script itself, so that nobody's
-- burst of writes gets past the bound between a question and a write.
local function redisMemory()
  local info = redis.call('INFO', 'memory')
  local function field(name) return tonumber(string.match(info, '\n' .. name .. ':(%d+)') or '0') end
  return field('used_memory') - field('mem_not_counted_for_evict'), field('maxmemory')
end

-- Returns the reply that refuses a write, or nil while there is room.
local function redisFull(stopRatio)
  local used, max = redisMemory()
  if max > 0 and used >= max * stopRatio then return { 'redis-full', used, max } end
end
