/**
 * The register of the ledger's Redis keys. All share one hash tag, so that a call's quotas are decided in one slot of a cluster.
 *
 * | key                            | type       | meaning |
 * |--------------------------------|------------|---------|
 * | {<prefix>quota}:state:<id>     | hash       | mode, demand, closing, what was learnt: fields as in policy/quota-state.ts |
 * | {<prefix>quota}:ledger:<id>    | sorted set | every call that counts: reservation id -> instant from which it counts |
 * | {<prefix>quota}:lane:<lane>:<id> | sorted set | the calls of one lane, with the same scores |
 *
 * `<id>` is a quota's id, followed by `:<user>` for a quota per user.
 */
import { LANES } from '../policy/lane';

export class QuotaKeys {
  private readonly tag: string;

  constructor(prefix: string) {
    this.tag = `{${prefix}quota}`;
  }

  /** The six keys of a quota, in the order that the scripts expect. */
  of(quotaId: string): string[] {
    const id = escaped(quotaId);
    return [`${this.tag}:state:${id}`, `${this.tag}:ledger:${id}`, ...LANES.map((lane) => `${this.tag}:lane:${lane}:${id}`)];
  }

  /** Matches every key of the ledger, and no other. */
  get pattern(): string {
    return `${this.tag.replace(/[\\*?[\]]/g, '\\$&')}:*`;
  }
}

/** A user's name comes from outside: it must not be able to name another hash tag. */
function escaped(quotaId: string): string {
  return quotaId.replace(/[^\w:.@-]/g, (character) => `%${character.codePointAt(0)?.toString(16)};`);
}
