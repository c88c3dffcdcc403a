/** Tokens of this mock say themselves whose they are and until when they hold, so that they survive its restart. */

export interface ReadToken {
  readonly user: string;
  readonly endsAtMs: number;
}

export function writeToken(user: string, endsAtMs: number): string {
  return `mock.${Buffer.from(user).toString('base64url')}.${Math.round(endsAtMs)}`;
}

/** Undefined: not issued here. */
export function readToken(token: string): ReadToken | undefined {
  const [, user, endsAt] = /^mock\.([\w-]+)\.(\d+)$/.exec(token) ?? [];
  if (user === undefined || endsAt === undefined) return undefined;
  return { user: Buffer.from(user, 'base64url').toString(), endsAtMs: Number(endsAt) };
}
