import { wallMs } from '@app/platform';
import type { UpstreamAnswer } from './upstream-answer';

/** What the last calls said about the upstream. Probes read it; they never call the upstream themselves. */
export class UpstreamHealth {
  lastSuccessMs?: number;
  lastFailureMs?: number;
  lastFailure?: string;

  note(answer: UpstreamAnswer<unknown>): void {
    if (answer.kind === 'unknown' || answer.kind === 'unreachable') {
      this.lastFailureMs = wallMs();
      this.lastFailure = answer.message;
    } else if (answer.kind !== 'refused') {
      this.lastSuccessMs = wallMs();
    }
  }

  get failing(): boolean {
    return this.lastFailureMs !== undefined && this.lastFailureMs > (this.lastSuccessMs ?? 0);
  }
}
