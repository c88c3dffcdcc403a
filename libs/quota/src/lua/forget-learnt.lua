#!lua flags=allow-oom
-- An operator takes back what was learnt of a quota: its stated limit, foreign use, a closing, and the mode, which is then
-- decided anew from the calls that count. Calls stay counted.
--
-- KEYS    six, of one quota (includes/quota.lua)
-- ARGV    1 rules of the quota as JSON
-- Replies JSON (includes/reply.lua)
--- @include "now-ms"
--- @include "quota"
--- @include "reply"
redis.call('HDEL', KEYS[1], 'learntLimit', 'closedUntilMs', 'closedForMs', 'foreignCalls', 'foreignSinceMs', 'foreignEpisodes', 'mode',
  'degradedSinceMs')
local now = nowMs()
return replyWith(openQuotas(1, now), now)
