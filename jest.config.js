const { availableParallelism } = require('node:os');

/**
 * Nest 12 and a few of its dependencies ship as ES modules only. Node 20.19 can require() them, jest only on Node 24.9 or
 * later, so SWC turns exactly these packages into CommonJS for the tests (cached by jest).
 */
const ESM_ONLY = [
  '@nestjs/[^/]+',
  'file-type',
  'strtok3',
  'token-types',
  'uint8array-extras',
  '@tokenizer/inflate',
  '@borewit/text-codec',
  'cookie',
  'content-disposition',
  // Imports node-fetch only when it is first used.
  'gaxios',
  'node-fetch',
  'data-uri-to-buffer',
  'fetch-blob',
  'formdata-polyfill',
];
const typescript = {
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'commonjs' },
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true, dynamicImport: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
};
const javascript = {
  swcrc: false,
  sourceMaps: false,
  module: { type: 'commonjs' },
  jsc: { target: 'es2022', parser: { syntax: 'ecmascript' } },
};
module.exports = {
  // Most tests wait for processes of their own more than they compute: two at once even on two cores.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  rootDir: __dirname,
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test', '<rootDir>/k6'],
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
  testRegex: '\\.spec\\.ts$',
  // Two slow cores that do other work too: a test that fails should fail by what it expects.
  testTimeout: 90_000,
  moduleFileExtensions: ['js', 'mjs', 'cjs', 'json', 'ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', typescript], '^.+\\.m?js$': ['@swc/jest', javascript] },
  // Tied to the last node_modules/ of the path, so that nested copies match too.
  transformIgnorePatterns: [`/node_modules/(?!.*/node_modules/)(?!(?:${ESM_ONLY.join('|')})/)`],
  moduleNameMapper: {
    '^@app/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^k6$': '<rootDir>/k6/stand-in/k6.ts',
    '^k6/(.*)$': '<rootDir>/k6/stand-in/$1.ts',
  },
};
