/** Makes trouble: to the processes and Redis one thing at a time, and beside that, to the upstream. What comes when is drawn from the seed. */
import { pause, STEP_NAMES } from '@app/platform';
import type { Counts } from './counts';
import type { Member, RedisMember } from './members';
import type { Random } from './random';
import { LEASE_MS, TOO_MANY, type FaultRule, type Trouble } from './settings';
import type { Spreadsheet } from './spreadsheet';

/** How many passes of a step at most before the process kills itself there. */
const PASSES_MAX = 4;

/** Past the upstream's time-out, and past the second attempt that follows it. */
const LATE_MS = 2_500;
export const LAG_MS = 2_000;

const ARMED_STEPS = STEP_NAMES.flatMap((step) => [
  { step, signal: 'SIGKILL' },
  { step, signal: 'SIGSTOP' },
]);

/** An armed process that has not come to its step for so long is left to come to it whenever it does. */
const STEP_PATIENCE_MS = 4_000;

export interface NemesisSurroundings {
  readonly members: readonly Member[];
  readonly redis: RedisMember;
  readonly spreadsheet: Spreadsheet;
  readonly counts: Counts;
  readonly acceptClashingIds: boolean;
  readonly stopped: () => boolean;
}

export class Nemesis {
  /** Reads of the upstream show what was there a while ago. */
  isLagging = false;
  private readonly stepsToDo: (typeof ARMED_STEPS)[number][] = [];

  constructor(
    private readonly random: Random,
    private readonly around: NemesisSurroundings,
    private readonly troubles: ReadonlySet<Trouble>,
    private readonly faultsOnly: readonly FaultRule[] | undefined,
  ) {}

  async run(): Promise<void> {
    await Promise.all([this.troubleProcesses(this.random.split()), this.troubleUpstream(this.random.split())]);
  }

  private async troubleProcesses(random: Random): Promise<void> {
    const { stopped } = this.around;
    const drawn = (['steps', 'steps', 'steps', 'kills', 'kills', 'pauses', 'redis', 'redis'] as const).filter((trouble) =>
      this.troubles.has(trouble),
    );
    while (!stopped() && drawn.length > 0) {
      await this.wait(random.between(200, 1_200));
      if (stopped()) return;
      const member = random.pick(this.around.members);
      await member.untilUp();
      switch (random.pick(drawn)) {
        case 'kills':
          await this.kill(member);
          break;
        case 'steps':
          await this.armStep(member, random);
          break;
        case 'pauses':
          await this.pauseProcess(member, random);
          break;
        case 'redis':
          await this.troubleRedis(random);
          break;
      }
    }
  }

  private async kill(member: Member): Promise<void> {
    if (!(await member.kill())) return;
    this.around.counts.add('kills', `of ${member.name} at random`);
    await member.start();
  }

  /** Each step in turn, so that a short run meets all: killed there, or stopped there until somebody else has taken over. */
  private async armStep(member: Member, random: Random): Promise<void> {
    if (member.isArmed) return;
    if (this.stepsToDo.length === 0) this.stepsToDo.push(...ARMED_STEPS);
    const [{ step, signal }] = this.stepsToDo.splice(random.between(0, this.stepsToDo.length - 1), 1);
    if (!(await member.kill())) return;
    this.around.counts.add('kills', `of ${member.name} at random`);
    await member.start(`${step}:${random.between(1, PASSES_MAX)}:${signal}`);
    for (let waitedMs = 0; waitedMs < STEP_PATIENCE_MS && member.isArmed && !this.around.stopped(); waitedMs += 100)
      await pause(100);
  }

  private async pauseProcess(member: Member, random: Random): Promise<void> {
    const pastLease = random.chance(0.5);
    this.around.counts.add('pauses', pastLease ? 'of a process, past its lease' : 'of a process, short');
    await member.pauseFor(pastLease ? LEASE_MS + random.between(300, 1_500) : random.between(200, 2_000));
  }

  private async troubleRedis(random: Random): Promise<void> {
    const { redis, counts } = this.around;
    if (random.chance(0.25)) {
      counts.add('pauses', 'of Redis');
      return await redis.pauseFor(random.between(200, 2_500));
    }
    counts.add('kills', 'of Redis');
    await redis.killFor(random.between(0, 1_500));
  }

  private async troubleUpstream(random: Random): Promise<void> {
    const { stopped } = this.around;
    if (this.faultsOnly !== undefined) {
      await this.useFaults(this.faultsOnly);
      while (!stopped()) await pause(50);
    }
    while (!stopped() && this.troubles.has('faults')) {
      await this.useFaults(this.drawFaults(random));
      await this.wait(random.between(500, 2_500));
      await this.useFaults([]);
      await this.wait(random.between(200, 2_000));
    }
    await this.useFaults([]);
  }

  private drawFaults(random: Random): FaultRule[] {
    const probability = random.pick([0.2, 0.5, 1]);
    const some = (rules: readonly FaultRule[]): FaultRule[] => rules.map((rule) => ({ probability, ...rule }));
    return random.pick([
      () => some([{ fault: 'apply-then-503', on: 'write' }]),
      () => some([{ fault: 'apply-late', on: 'write', delayMs: random.between(900, LATE_MS) }]),
      () => some([{ ...TOO_MANY, on: 'any' }]),
      // An attempt whose outcome is unknown, and then a 4xx to the next: it decides nothing about the first.
      () =>
        some([
          { fault: 'apply-then-503', on: 'write', probability: 0.5 },
          { ...TOO_MANY, on: 'write', probability: 0.5 },
        ]),
      () => some([{ fault: '500', on: 'any' }]),
      () => some([{ fault: 'hang', on: 'any' }]),
      () => some([{ fault: 'cut', on: 'any' }]),
      () => some([{ fault: 'cut-after-apply', on: 'write' }]),
      () => some([{ fault: 'html-502', on: 'any' }]),
      () => some([{ fault: 'lagging-reads', on: 'read', delayMs: random.between(200, LAG_MS) }]),
      () =>
        some([
          { fault: 'lagging-reads', on: 'read', delayMs: random.between(200, LAG_MS), probability: 0.7 },
          { fault: 'apply-then-503', on: 'write' },
        ]),
      () => some([{ fault: 'latency', on: 'any', delayMs: random.between(200, 1_500) }]),
    ])();
  }

  private async useFaults(rules: readonly FaultRule[]): Promise<void> {
    const { spreadsheet, counts, acceptClashingIds } = this.around;
    for (const { fault, fired } of await spreadsheet.fired()) if (fired > 0) counts.add('faults', fault, fired);
    // From before the rule holds until after it has gone.
    const willLag = rules.some(({ fault }) => fault === 'lagging-reads');
    this.isLagging ||= willLag;
    await spreadsheet.faults(rules, acceptClashingIds);
    this.isLagging = willLag;
    counts.note(`faults: ${rules.map((rule) => JSON.stringify(rule)).join(', ') || 'none'}`);
  }

  private async wait(durationMs: number): Promise<void> {
    for (let waitedMs = 0; waitedMs < durationMs && !this.around.stopped(); waitedMs += 50) await pause(50);
  }
}
