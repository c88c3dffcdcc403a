import { monotonicMs } from '@app/platform';

/** Groups of which each single one is told with its time, where a violation has to be understood. */
const JOURNAL_GROUPS = new Set(['kills', 'pauses', 'person']);

/** What a run did, counted by name. */
export class Counts {
  private readonly journal: { readonly atMs: number; readonly line: string }[] = [];
  private readonly counts = new Map<string, Map<string, number>>();

  /** Trouble as it came, for whoever reads a violation. */
  note(what: string): void {
    const atMs = monotonicMs();
    this.journal.push({ atMs, line: `[${(atMs / 1_000).toFixed(3)} s] ${what}` });
  }

  notesBetween(fromMs: number, toMs: number): string[] {
    return this.journal.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs).map(({ line }) => line);
  }

  add(group: string, name: string, by = 1): void {
    if (JOURNAL_GROUPS.has(group)) this.note(`${group}: ${name}`);
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
