export type Environment = Readonly<Record<string, string | undefined>>;

/** What a process needs to run at all. Everything else that a developer's shell has set stays out of the tests. */
const NEEDED = /^(PATH|HOME|TMPDIR|NODE_(?!CHANNEL_|ENV$|UNIQUE_ID$)\w+)$/;

export function cleanEnvironment(from: Environment = process.env): Environment {
  return Object.fromEntries(Object.entries(from).filter(([name]) => NEEDED.test(name)));
}
