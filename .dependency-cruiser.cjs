/** The import table: what each part may import. Anything else between parts of this repository is an error. */
const MAY_IMPORT = {
  'apps/gateway': [
    'libs/quota',
    'libs/sheet-view',
    'libs/write-log',
    'libs/write-queue',
    'libs/sheets-client',
    'libs/sheets-wire',
    'libs/workbook',
    'libs/platform',
  ],
  'apps/sheets-mock': ['libs/workbook', 'libs/sheets-wire', 'libs/platform'],
  'libs/write-queue': [
    'libs/sheet-view',
    'libs/write-log',
    'libs/sheets-client',
    'libs/sheets-wire',
    'libs/quota',
    'libs/platform',
  ],
  'libs/sheet-view': ['libs/workbook', 'libs/write-log', 'libs/sheets-client', 'libs/sheets-wire', 'libs/platform'],
  'libs/sheets-client': ['libs/sheets-wire', 'libs/platform'],
  'libs/write-log': ['libs/platform'],
  'libs/quota': ['libs/platform'],
  'libs/workbook': ['libs/sheets-wire'],
  'libs/sheets-wire': ['libs/platform'],
  'libs/local-stack': ['libs/platform'],
  'libs/proof': ['libs/local-stack', 'libs/platform'],
  'libs/experiment': ['libs/proof', 'libs/local-stack', 'libs/platform'],
  'libs/bench': ['libs/local-stack', 'libs/quota', 'libs/sheet-view', 'libs/write-log', 'libs/platform'],
  'libs/platform': [],
};

const rules = Object.entries(MAY_IMPORT).map(([part, allowed]) => ({
  name: `${part} may import only: ${allowed.join(', ') || 'nothing of this repository'}`,
  severity: 'error',
  from: { path: `^${part}/`, pathNot: '\\.spec\\.ts$' },
  to: { path: '^(apps|libs|test|k6|tools)/', pathNot: [`^${part}/`, ...allowed.map((lib) => `^${lib}/`)] },
}));

module.exports = {
  forbidden: [
    ...rules,
    {
      name: 'a lib is entered by its index.ts only',
      severity: 'error',
      from: { path: '^(apps|libs|test)/([^/]+)/' },
      to: { path: '^libs/([^/]+)/src/(?!index\\.ts$)', pathNot: '^libs/$2/' },
    },
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    {
      name: 'the pure policy knows no framework and no Redis',
      severity: 'error',
      from: { path: '^libs/quota/src/policy/' },
      to: { path: 'node_modules/(@nestjs|ioredis|bullmq)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
};
