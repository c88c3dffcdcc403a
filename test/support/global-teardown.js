module.exports = async function stop() {
  await globalThis.privateRedis.stop();
};
