/** Error bodies in Google's format: how they are made, and what a caller can learn from one. */

export interface GoogleErrorDetail {
  readonly '@type': string;
  readonly [field: string]: unknown;
}

export interface GoogleErrorBody {
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly status: string;
    readonly details?: readonly GoogleErrorDetail[];
  };
}

export function googleError(
  code: number,
  status: string,
  message: string,
  details?: readonly GoogleErrorDetail[],
): GoogleErrorBody {
  return { error: { code, message, status, ...(details && details.length > 0 ? { details } : {}) } };
}

/**
 * Which request of a `spreadsheets.batchUpdate` the service refused: 12 from `Invalid requests[12].updateCells: ...`. Also
 * reads `data[i]`, `range[i]` and `dataFilter[i]` of the values methods.
 */
export function parseRequestIndex(message: string): number | undefined {
  const match = /^Invalid (?:requests|data|range|dataFilter)\[(\d+)\]/.exec(message);
  return match ? Number(match[1]) : undefined;
}
