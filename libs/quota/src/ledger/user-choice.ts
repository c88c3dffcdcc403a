/**
 * Which of several users makes a call. A quota per user is counted for each of them, so the one with most room goes first; those
 * whose question is still on its way to Redis count as used, so that callers who come together spread over all users.
 */
import type { SingleQuotaStatus } from './quota-status';

export class UserChoice {
  private readonly asking = new Map<string, number>();

  /** The users, the one with most room first; equal ones in the order that they came. `statusOf` gives what stands before a user's call. */
  async byRoom(
    users: readonly string[],
    statusOf: (user: string) => Promise<readonly SingleQuotaStatus[]>,
  ): Promise<readonly string[]> {
    if (users.length < 2) return users;
    const rooms = await Promise.all(users.map(async (user) => ({ user, calls: roomIn(await statusOf(user)) })));
    const free = ({ user, calls }: { user: string; calls: number }): number => calls - (this.asking.get(user) ?? 0);
    return rooms.sort((one, other) => free(other) - free(one)).map(({ user }) => user);
  }

  async whileAsking<T>(user: string, ask: () => Promise<T>): Promise<T> {
    this.asking.set(user, (this.asking.get(user) ?? 0) + 1);
    try {
      return await ask();
    } finally {
      this.asking.set(user, (this.asking.get(user) ?? 1) - 1);
    }
  }
}

/** What the tightest of the user's own quotas leaves; those of the project are the same for all. Closed is none. */
function roomIn(statuses: readonly SingleQuotaStatus[]): number {
  const own = statuses.filter(({ per }) => per === 'user');
  return Math.min(Infinity, ...own.map(({ remaining, closedForMs }) => (closedForMs > 0 ? 0 : remaining)));
}
