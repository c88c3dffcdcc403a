import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { PROFILE_NAMES, type ProfileName } from './load/profiles';
import { STAGE_NAMES, type ExperimentSettings, type StageName } from './settings';

/** The command line is wrong; the message says in what, and what is right. */
export class UsageError extends Error {}

export interface CommandLine {
  readonly settings: ExperimentSettings;
  /** Where the report and the summary go. */
  readonly outDirectory: string;
  readonly json?: string;
  /** Figures of an earlier run (its --json file), to draw its report anew without running anything. */
  readonly from?: string;
  /** Also renew the picture in docs/images. */
  readonly readme: boolean;
}

/** Not under version control. */
const OUT_DIRECTORY = '.data/experiment';
const QUICK_TIME_SCALE = 0.1;
const SEED_MAX = 0x7fffffff;

const USAGE = `usage: npm run experiment -- [--quick] [--profile mild|heavy|both] [--stages off,count,reads,full] [--side-by-side]
                             [--seed N] [--out DIR] [--json FILE] [--readme]
  --quick         windows of 6 s with a limit of 30, a tenth of the time, side by side
  --side-by-side  the stages of a profile at the same time: faster, and their CPU figures disturb each other
  --out           where report.html and summary.md go (${OUT_DIRECTORY})
  --json          write all figures to a file
  --from          no run: draw the report anew from the file that --json of an earlier one wrote
  --readme        also renew docs/images/experiment.svg, from a run of all four stages`;

export function readCommandLine(words: readonly string[]): CommandLine {
  const given = parse(words);
  if (given.seed !== undefined && !(/^\d{1,10}$/.test(given.seed) && Number(given.seed) >= 1 && Number(given.seed) <= SEED_MAX))
    throw new UsageError(`--seed: expected a whole number from 1 to ${SEED_MAX}, got ${given.seed}\n${USAGE}`);
  const stages = listOf(given.stages);
  if (given.readme && stages.length < STAGE_NAMES.length)
    throw new UsageError(`--readme: expected all four stages, got ${given.stages}\n${USAGE}`);
  return {
    settings: {
      profiles: profilesOf(given.profile),
      stages,
      seed: given.seed === undefined ? randomInt(1, SEED_MAX) : Number(given.seed),
      timeScale: given.quick ? QUICK_TIME_SCALE : 1,
      sideBySide: given.quick || given['side-by-side'],
    },
    outDirectory: given.out,
    json: given.json,
    from: given.from,
    readme: given.readme,
  };
}

function profilesOf(name: string): readonly ProfileName[] {
  if (name === 'both') return PROFILE_NAMES;
  const known = PROFILE_NAMES.filter((profile) => profile === name);
  if (known.length === 0) throw new UsageError(`--profile: expected mild, heavy or both, got ${name}\n${USAGE}`);
  return known;
}

/** In the order of the case, whatever order they were given in. */
function listOf(names: string): readonly StageName[] {
  const wanted = names.split(',').map((name) => name.trim());
  const unknown = wanted.find((name) => !(STAGE_NAMES as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--stages: expected some of ${STAGE_NAMES.join(',')}, got ${unknown}\n${USAGE}`);
  return STAGE_NAMES.filter((stage) => wanted.includes(stage));
}

function parse(words: readonly string[]) {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const flag = { type: 'boolean', default: false } as const;
  const options = {
    quick: flag,
    profile: text('both'),
    stages: text(STAGE_NAMES.join(',')),
    'side-by-side': flag,
    seed: { type: 'string' },
    out: text(OUT_DIRECTORY),
    json: { type: 'string' },
    from: { type: 'string' },
    readme: flag,
  } as const;
  try {
    return parseArgs({ args: [...words], options }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${USAGE}`);
  }
}
