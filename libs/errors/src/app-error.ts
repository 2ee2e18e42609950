/**
 * Every code an error can carry, in the order of docs/errors.md. Codes are
 * part of the public contract: they are added, never renamed or reused.
 */
export const errorCodes = [
  'invalid_json',
  'invalid_key',
  'unauthenticated',
  'team_forbidden',
  'forbidden_tier',
  'forbidden_access',
  'forbidden_origin',
  'permission_denied',
  'not_found',
  'method_not_allowed',
  'already_exists',
  'conflict',
  'payload_too_large',
  'unsupported_media_type',
  'admin_tier',
  'contains_secret',
  'invalid_request',
  'unknown_member',
  'invalid_cursor',
  'rate_limited',
  'daily_cap_exceeded',
  'quota_exceeded',
  'declined',
  'cancelled',
  'internal',
  'unimplemented',
  'unavailable',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** One field of a request that breaks a rule. */
export interface Violation {
  /** JSON Pointer (RFC 6901) into the request as the public API writes it. */
  pointer: string;
  /** What is wrong, for people. */
  detail: string;
}

/** A cap that leaves too little of the day. */
export interface DailyCap {
  /** Whose it is. */
  scope: 'member' | 'team';
  /** Whole micro-dollars. */
  capMicroDollars: number;
  /** Whole micro-dollars, those held back for calls under way included. */
  spentMicroDollars: number;
  /** When the next day begins, in milliseconds since the epoch. */
  resetAt: number;
}

export interface AppErrorOptions {
  /** What went wrong underneath. For the log only, never for the caller. */
  cause?: unknown;
  /** The fields refused, where the error is about fields. */
  violations?: readonly Violation[];
  /** The cap that was reached, for `daily_cap_exceeded`. */
  dailyCap?: DailyCap | undefined;
  /** For `conflict` over an item: the checksum that is stored. */
  currentChecksum?: string | undefined;
}

/**
 * The only error that crosses a boundary. `message` is public: it may be shown
 * to the caller, so it names no host, path, secret or row the caller may not
 * see. What is private goes into `cause`.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly violations: readonly Violation[];
  readonly dailyCap: DailyCap | undefined;
  readonly currentChecksum: string | undefined;

  constructor(code: ErrorCode, publicMessage: string, options: AppErrorOptions = {}) {
    super(publicMessage, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.violations = options.violations ?? [];
    this.dailyCap = options.dailyCap;
    this.currentChecksum = options.currentChecksum;
  }
}

/**
 * Turns anything thrown into an AppError. An AppError stays as it is, an abort
 * becomes `cancelled` (or `unavailable`, where a deadline caused it), and
 * everything foreign becomes `internal` with the original as its cause.
 */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof Error && thrown.name === 'TimeoutError') {
    return new AppError('unavailable', 'The service did not answer in time.', { cause: thrown });
  }
  if (thrown instanceof Error && thrown.name === 'AbortError') {
    return new AppError('cancelled', 'The call was cancelled.', { cause: thrown });
  }
  return new AppError('internal', 'Something went wrong on our side.', { cause: thrown });
}
