import { googleError, type GoogleErrorBody, type GoogleErrorDetail } from '@app/sheets-wire';

/** An answer other than success, in the service's own words. */
export class ApiError extends Error {
  constructor(
    readonly code: number,
    readonly status: string,
    message: string,
    readonly details?: readonly GoogleErrorDetail[],
  ) {
    super(message);
  }

  get body(): GoogleErrorBody {
    return googleError(this.code, this.status, this.message, this.details);
  }

  /** The same refusal, naming the part of a batch that it is about. */
  in(prefix: string): ApiError {
    return new ApiError(this.code, this.status, `${prefix}: ${this.message}`, this.details);
  }
}

export function invalid(message: string): ApiError {
  return new ApiError(400, 'INVALID_ARGUMENT', message);
}

export function notFound(message = 'Requested entity was not found.'): ApiError {
  return new ApiError(404, 'NOT_FOUND', message);
}

export function notImplemented(what: string): ApiError {
  return new ApiError(501, 'UNIMPLEMENTED', `sheets-mock does not implement ${what}. The real service does.`);
}

export function internalError(): ApiError {
  return new ApiError(500, 'INTERNAL', 'Internal error encountered.');
}

export interface Violation {
  readonly field?: string;
  readonly description: string;
}

/** Refusals of the parse layer: all of a request in one answer. */
export function badRequest(
  violations: readonly Violation[],
  message = violations.map((one) => one.description).join('\n'),
): ApiError {
  return new ApiError(400, 'INVALID_ARGUMENT', message, [
    {
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: violations.map(({ field, description }) => ({ ...(field ? { field } : {}), description })),
    },
  ]);
}
