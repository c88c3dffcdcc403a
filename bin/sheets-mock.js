#!/usr/bin/env node
// The mock by itself, from what was built: `npx sheets-mock --help`.
require('../dist/apps/sheets-mock/src/main.js');
