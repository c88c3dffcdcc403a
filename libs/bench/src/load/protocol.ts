/** What the bench asks the load generator for, and what it answers. */
export interface LoadRequest {
  readonly port: number;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `{n}` stands for a number that differs with every request. */
  readonly body?: string;
  readonly connections: number;
  /** Ends after so long, or after so many requests. */
  readonly durationMs?: number;
  readonly requests?: number;
  /** Any other status ends the run: a fast error must not count as a fast answer. */
  readonly status: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly bytes: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export type LoadReply = { readonly result: LoadResult } | { readonly error: string };
