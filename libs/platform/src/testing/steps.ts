/**
 * For tests only: lets a process be killed at a named place, which no signal from outside can hit reliably.
 *
 * `TEST_KILL_AT_STEP=<name>[:count[:signal]]` in a process's environment ends it with SIGKILL, or sends it the signal, the count-th
 * time (from 1) that it passes the place. Without it every call here does nothing. No configuration of an installation has any business with it, so it is not
 * among the documented variables.
 */
export const STEP_NAMES = ['before-send', 'after-send', 'after-answer', 'before-settle', 'after-settle'] as const;
export type StepName = (typeof STEP_NAMES)[number];

/** The request has been written by then, and an upstream on the same machine has not answered yet. */
const AFTER_SEND_MS = 5;

const [armedName, countText = '1', signal = 'SIGKILL'] = (process.env.TEST_KILL_AT_STEP ?? '').split(':');
let passesLeft = Number(countText);

export function step(name: StepName): void {
  if (name !== armedName) return;
  passesLeft -= 1;
  if (passesLeft !== 0) return;
  // For whoever armed it: a process that is stopped tells nothing any more.
  console.log(`${signal} at ${name}, process ${process.pid}`);
  process.kill(process.pid, signal);
}

/** The place between a request and its answer: passed a few milliseconds after this is called. */
export function stepAfterSend(): void {
  if (armedName === 'after-send') setTimeout(() => step('after-send'), AFTER_SEND_MS);
}
