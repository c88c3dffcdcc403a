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
  private readonly seen = new Set<string>();
  /** Ids of `all()`, until another user is seen. */
  private ids?: readonly string[];

  constructor(
    private readonly definitions: readonly QuotaDefinition[],
    private readonly users: readonly string[],
  ) {}

  of({ access, user = this.users[0] }: CallKind): QuotaInstance[] {
    const gates = matchingQuotas(this.definitions, { access, user });
    if (gates.length === 0) throw new RangeError(`no quota is defined for a call with access "${access}"`);
    if (!this.users.includes(user) && this.seen.size < USERS_MAX && !this.seen.has(user)) {
      this.seen.add(user);
      this.ids = undefined;
    }
    return gates;
  }

  /** Of those who may make the call: one where it is named or the only one, else all of the application that are allowed. */
  usersFor({ user, among }: CallKind): readonly string[] {
    if (user !== undefined) return [user];
    const allowed = among === undefined ? this.users : this.users.filter((one) => among.includes(one));
    if (allowed.length === 0) throw new RangeError(`no user of the application is among ${JSON.stringify(among)}`);
    return allowed;
  }

  /** Every quota, for the users of the application and those seen here. */
  all(): QuotaInstance[] {
    const isTold = this.users.length > 1 || this.users[0] !== DEFAULT_USER;
    const users = isTold || this.seen.size === 0 ? [...this.users, ...this.seen] : [...this.seen];
    return this.definitions.flatMap((definition) =>
      definition.per === 'project' ? [instanceOf(definition)] : users.map((user) => instanceOf(definition, user)),
    );
  }

  /** Of all quotas in `all()`. One list until another user is seen. */
  allIds(): readonly string[] {
    this.ids ??= this.all().map(({ quotaId }) => quotaId);
    return this.ids;
  }

  named(quotaId: string): QuotaInstance {
    const definition = this.definitions.find(({ id, per }) => quotaId === id || (per === 'user' && quotaId.startsWith(`${id}:`)));
    if (definition === undefined) throw new RangeError(`no quota is called ${JSON.stringify(quotaId)}`);
    return { quotaId, definition };
  }
}
