-- What operators see of a snapshot: nothing of its content.
--
-- KEYS[1] base of the spreadsheet's keys
-- ARGV    1 sheet id
-- Replies { spreadsheet id or '', tab as JSON or '', ms since it was fetched (-1: there is none), pending writes of the sheet }
local base, sheet = KEYS[1], KEYS[1] .. 'sheet:' .. ARGV[1]
local marks = redis.call('HMGET', base .. 'marks', 'spreadsheetId', 'appliedThrough')
local fetchedAtMs = redis.call('HGET', sheet, 'fetchedAtMs')
local time = redis.call('TIME')
return {
  marks[1] or '', redis.call('HGET', base .. 'tabs', ARGV[1]) or '',
  fetchedAtMs and math.max(0, time[1] * 1000 + math.floor(time[2] / 1000) - fetchedAtMs) or -1,
  redis.call('ZCOUNT', sheet .. ':log', '(' .. (marks[2] or '0'), '+inf'),
}
