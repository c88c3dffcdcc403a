-- What a drain has to know before it decides.
--
-- KEYS[1] base of the spreadsheet's keys
-- Replies { tail, appliedThrough, batchNumber, epoch, frozen batch or '', milliseconds until the pace allows a call,
--         milliseconds since an attempt's outcome was last unknown (-1: never) }
--- @include "keys"
--- @include "now-ms"
local unknownAt = redis.call('HGET', marksKey, 'unknownAtMs')
return {
  mark('tail'), mark('appliedThrough'), mark('batchNumber'), redis.call('HGET', marksKey, 'epoch') or '',
  redis.call('GET', batchKey) or '', math.max(0, redis.call('PTTL', base .. 'pace')),
  unknownAt and math.max(0, nowMs() - tonumber(unknownAt)) or -1,
}
