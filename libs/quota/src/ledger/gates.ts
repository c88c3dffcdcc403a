/** Which quotas stand before a call, and which are known to this process. */
import {
  DEFAULT_USER,
  instanceOf,
  matchingQuotas,
  type CallKind,
  type QuotaDefinition,
  type QuotaInstance,
} from '../policy/quota-definition';

/** Users come from outside: of those beyond this number the status is no longer read unasked. */
const USERS_MAX = 50;

export class Gates {
  private readonly users = new Set<string>();

  constructor(private readonly definitions: readonly QuotaDefinition[]) {}

  of(kind: CallKind): QuotaInstance[] {
    const gates = matchingQuotas(this.definitions, kind);
    if (gates.length === 0) throw new RangeError(`no quota is defined for a call with access "${kind.access}"`);
    if (kind.user !== undefined && this.users.size < USERS_MAX) this.users.add(kind.user);
    return gates;
  }

  /** Every quota, for the users seen here. */
  all(): QuotaInstance[] {
    const users = this.users.size > 0 ? [...this.users] : [DEFAULT_USER];
    return this.definitions.flatMap((definition) =>
      definition.per === 'project' ? [instanceOf(definition)] : users.map((user) => instanceOf(definition, user)),
    );
  }

  named(quotaId: string): QuotaInstance {
    const definition = this.definitions.find(({ id, per }) => quotaId === id || (per === 'user' && quotaId.startsWith(`${id}:`)));
    if (definition === undefined) throw new RangeError(`no quota is called ${JSON.stringify(quotaId)}`);
    return { quotaId, definition };
  }
}
