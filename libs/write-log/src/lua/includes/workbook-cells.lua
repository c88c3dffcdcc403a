-- The cells that the workbook will have once all that was accepted is in it: what its tabs have now, and what rows that are not in their
-- snapshots yet add to the grid. Free rows are used first; where something without a key stands below the last row with one, each new
-- row is inserted. Deletions that are still pending are not counted on.
--
-- Returns the cells without `moreRows` of that sheet, and how many those add.
local function workbookCells(sheetId, moreRows)
  local total, more = 0, 0
  local grids = redis.call('HGETALL', base .. 'grids')
  for at = 1, #grids, 2 do
    local rows, columns = string.match(grids[at + 1], '^(%d+) (%d+)$')
    rows, columns = tonumber(rows), tonumber(columns)
    local snapshot = redis.call('HMGET', sheetKey(grids[at]), 'usedRows', 'insertsRows')
    local used, inserts = tonumber(snapshot[1] or '0'), snapshot[2] == '1'
    local new = redis.call('HLEN', newKeysKey(grids[at]))
    local function growth(count) return (inserts and count or math.max(0, used + count - rows)) * columns end
    total = total + rows * columns + growth(new)
    if grids[at] == sheetId then more = growth(new + moreRows) - growth(new) end
  end
  return total, more
end

-- Returns 1 where the workbook has just become nearly full: told once, until it is below again.
local function noteFill(cells, nearlyFullFrom)
  if cells < nearlyFullFrom then
    redis.call('HDEL', marksKey, 'nearlyFull')
    return 0
  end
  return redis.call('HSETNX', marksKey, 'nearlyFull', '1')
end
