/** How the upstream counts a call: as a read or as a write, and for which of its users. */
export interface CallKind {
  readonly access: 'read' | 'write';
  /** Whom a per-user quota counts. Absent: whichever of the application's users (`QuotaOptions.users`) has most room. */
  readonly user?: string;
  /** Absent `user`: only these of the application's users may make the call. */
  readonly among?: readonly string[];
}

/** A named limit of the upstream: `limit` calls in any `windowMs`. */
export interface QuotaDefinition {
  readonly id: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly access: 'read' | 'write' | 'any';
  readonly per: 'project' | 'user';
  /** The names that the upstream's refusals give to this quota. Absent: every name means it. */
  readonly upstreamNames?: readonly string[];
  /** A limit learnt from the upstream is never taken to be higher than this. */
  readonly learntLimitMax?: number;
}

export const DEFAULT_USER = 'default';

/** A quota as it is counted: the definition itself, or one user's count of it. */
export interface QuotaInstance {
  /** `<definition id>`, or `<definition id>:<user>` for a quota per user. */
  readonly quotaId: string;
  readonly definition: QuotaDefinition;
}

export function instanceOf(definition: QuotaDefinition, user: string = DEFAULT_USER): QuotaInstance {
  return { quotaId: definition.per === 'project' ? definition.id : `${definition.id}:${user}`, definition };
}

/** The quotas that a call of `kind` counts against, in the order of their definition. */
export function matchingQuotas(definitions: readonly QuotaDefinition[], kind: CallKind): QuotaInstance[] {
  return definitions
    .filter(({ access }) => access === 'any' || access === kind.access)
    .map((definition) => instanceOf(definition, kind.user));
}
