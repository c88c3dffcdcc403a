/** What a run did, counted by name. */
export class Counts {
  private readonly counts = new Map<string, Map<string, number>>();

  add(group: string, name: string, by = 1): void {
    const members = this.counts.get(group) ?? new Map<string, number>();
    members.set(name, (members.get(name) ?? 0) + by);
    this.counts.set(group, members);
  }

  total(group: string): number {
    return [...(this.counts.get(group)?.values() ?? [])].reduce((sum, count) => sum + count, 0);
  }

  of(group: string): Readonly<Record<string, number>> {
    return Object.fromEntries([...(this.counts.get(group) ?? [])].sort(([a], [b]) => a.localeCompare(b)));
  }

  line(group: string): string {
    const members = Object.entries(this.of(group)).map(([name, count]) => `${name} ${count}`);
    return members.length === 0 ? 'none' : members.join(', ');
  }
}
