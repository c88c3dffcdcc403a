/** Where in a request something is wrong: a JSON pointer into the body (`/3/name`), or a parameter's name. */
export interface ErrorFacts {
  /** Stable, in kebab-case: what a program may test for. */
  readonly code: string;
  readonly status: number;
  /** For people: names the field, what was found and what is expected. Holds no secret. */
  readonly message: string;
  readonly field?: string;
  /** Where waiting helps: becomes `Retry-After`, rounded up to seconds. */
  readonly retryAfterMs?: number;
  /** More facts for a program, such as the tabs that exist. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** An answer other than success that a client can act on. */
export class CodedError extends Error {
  constructor(
    readonly facts: ErrorFacts,
    options?: ErrorOptions,
  ) {
    super(facts.message, options);
    this.name = 'CodedError';
  }
}

export function badInput(code: string, field: string, message: string, status = 400): CodedError {
  return new CodedError({ code, status, message, field });
}
