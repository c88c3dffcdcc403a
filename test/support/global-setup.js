/**
 * One private Redis for the whole run, from the compiled code (`npm test` builds first; jest's own aliases do not reach here).
 * Tests keep apart by a key prefix of their own; those that break Redis start another.
 */
module.exports = async function start() {
  const { startPrivateRedis } = require('../../dist/libs/local-stack/src/index.js');
  globalThis.privateRedis = await startPrivateRedis();
  process.env.TEST_REDIS_URL = globalThis.privateRedis.url;
};
