/** What a user chooses by `-e NAME=value` or by the environment. Read once; all problems are reported together. */

export const STAGE_NAMES = ['off', 'count', 'reads', 'full'] as const;
export type StageName = (typeof STAGE_NAMES)[number];

export const PROFILE_NAMES = ['mild', 'heavy'] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

/** Every variable that the scripts know. */
export const LOAD_VARIABLES = ['BASE_URL', 'API_KEY', 'STAGE', 'PROFILE', 'SHEET'] as const;

export interface Settings {
  baseUrl: string;
  /** Empty: the gateway runs without keys, on loopback. */
  apiKey: string;
  /** What the gateway's PROTECTION is set to: the script cannot set it, only expect it. */
  stage: StageName;
  profile: ProfileName;
  sheet: string;
}

type Environment = Partial<Record<string, string>>;

export function readSettings(environment: Environment): Settings {
  const problems: string[] = [];
  const read = (name: (typeof LOAD_VARIABLES)[number], fallback: string) => (environment[name] ?? '').trim() || fallback;
  function oneOf<const T extends string>(name: (typeof LOAD_VARIABLES)[number], allowed: readonly T[], fallback: T): T {
    const found = read(name, fallback);
    const match = allowed.find((candidate) => candidate === found);
    if (match === undefined) problems.push(`${name} is '${found}': expected one of ${allowed.join(', ')}`);
    return match ?? fallback;
  }

  const baseUrl = read('BASE_URL', 'http://127.0.0.1:3000').replace(/\/+$/, '');
  if (!/^https?:\/\/[^/\s]+/.test(baseUrl)) problems.push(`BASE_URL is '${baseUrl}': expected http://host:port`);
  const settings: Settings = {
    baseUrl,
    // The gateway's own API_KEYS is a list: so that the same value can be handed to both, the first key is used.
    apiKey: (read('API_KEY', '').split(',')[0] ?? '').trim(),
    stage: oneOf('STAGE', STAGE_NAMES, 'full'),
    profile: oneOf('PROFILE', PROFILE_NAMES, 'mild'),
    sheet: read('SHEET', 'orders'),
  };
  if (problems.length > 0) throw new Error(`The load cannot start:\n- ${problems.join('\n- ')}`);
  return settings;
}
