-- How full a workbook is, all that was accepted included.
--
-- KEYS[1] base of the spreadsheet's keys
-- Replies its cells; 0: nobody has looked at it yet
--- @include "keys"
--- @include "workbook-cells"
return (workbookCells('', 0))
