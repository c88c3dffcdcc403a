/** What a handler says of the answer that it gives. Everything else about the headers is known to the ledger. */
export interface Answer {
  /** True: not answered by the upstream as the client would expect in direct mode. */
  readonly degraded: boolean;
  /** Why, in kebab-case: `quota`, `upstream-down`, ... */
  readonly reason?: string;
}

const NOT_DEGRADED: Answer = { degraded: false };
const answers = new WeakMap<object, Answer>();

/** `request`: of Nest's platform, or the bare one of Node; both mean the same answer. */
export function markAnswer(request: object, answer: Answer): void {
  answers.set(bare(request), answer);
}

export function answerOf(request: object): Answer {
  return answers.get(bare(request)) ?? NOT_DEGRADED;
}

function bare(request: object): object {
  const { raw } = request as { raw?: unknown };
  return typeof raw === 'object' && raw !== null ? raw : request;
}
