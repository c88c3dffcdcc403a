/** The ledger's scripts, and the one place where their replies are read. */
import { join } from 'node:path';
import { loadLuaScript, type LuaScript } from '@app/platform';
import type { PolicyReply } from '../policy/quota-policy';

const DIRECTORY = join(__dirname, '..', 'lua');

const NAMES = {
  reserve: 'reserve-call',
  peek: 'peek-call',
  settle: 'settle-call',
  release: 'release-call',
  restore: 'restore-call',
  readStatus: 'read-status',
  reportRefusal: 'report-refusal',
  forgetLearnt: 'forget-learnt',
} as const;

export type LedgerScripts = Readonly<Record<keyof typeof NAMES, LuaScript>>;

/** `replaced`: other text for an include. The tests move the clock so. */
export function loadLedgerScripts(replaced?: Readonly<Record<string, string>>): LedgerScripts {
  return Object.fromEntries(
    Object.entries(NAMES).map(([command, file]) => [command, loadLuaScript(DIRECTORY, file, replaced)]),
  ) as LedgerScripts;
}

export function readReply(reply: unknown): PolicyReply {
  return JSON.parse(reply as string) as PolicyReply;
}
