/**
 * Preloaded (`node --require`) into every process that this lib starts: ends it when whoever started it is gone, however that
 * happened. A parent killed with SIGKILL runs no code, but the system closes its end of the channel between the two.
 */

/** Time to end in good order. Longer than that, and it hangs. */
const PATIENCE_MS = 15_000;

if (process.channel) {
  process.once('disconnect', () => {
    setTimeout(() => process.exit(1), PATIENCE_MS).unref();
    // To itself: as if an operator had asked, so that the process ends in its own order.
    process.kill(process.pid, 'SIGTERM');
  });
  // The channel is watched, but is no reason to live on.
  process.channel.unref();
  // Nobody reads any more what it still has to say; that must not cut its end short.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
