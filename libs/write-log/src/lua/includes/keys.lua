-- The names of a spreadsheet's keys, as in keys.ts. KEYS[1] is the base, such as `{sgw0123456789abcdef}:`.
local base = KEYS[1]
local marksKey = base .. 'marks'
local logKey = base .. 'log'
local batchKey = base .. 'batch'
local leaseKey = base .. 'lease'
local setAsideKey = base .. 'set-aside'
local function receiptKey(number) return base .. 'receipt:' .. number end
local function sheetKey(sheetId) return base .. 'sheet:' .. sheetId end
local function sheetLogKey(sheetId) return base .. 'sheet:' .. sheetId .. ':log' end
local function newKeysKey(sheetId) return base .. 'sheet:' .. sheetId .. ':new-keys' end
local function snapshotKey(sheetId) return base .. 'sheet:' .. sheetId .. ':snapshot' end
local function mark(name) return tonumber(redis.call('HGET', marksKey, name) or '0') end
