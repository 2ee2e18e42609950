import { ProblemError } from '@teammemory/client/problem-error.ts';
import { RpcError } from '@teammemory/client/rpc-error.ts';
import { TransportError } from '@teammemory/client/transport-error.ts';
import { printable } from './terminal.ts';

/** 0 is success. */
export const failedExitCode = 1;
export const usageExitCode = 2;

/** A failure that the person at the terminal can do something about. `message` is a whole sentence. */
export class CliError extends Error {
  /** Stable, snake_case, as in the answers of the service. */
  readonly code: string;
  readonly exitCode: number;

  constructor(code: string, message: string, exitCode = failedExitCode) {
    super(message);
    this.name = 'CliError';
    this.code = code;
    this.exitCode = exitCode;
  }
}

/** The command line or its settings are wrong. */
export function usageError(message: string): CliError {
  return new CliError('usage', message, usageExitCode);
}

/** An error as `--json` prints it; `code` and `detail` are always there. */
export interface ErrorDescription {
  code: string;
  detail: string;
  status?: number;
  request_id?: string;
  retry_after_seconds?: number;
  /** Places in the request, each a JSON Pointer, that break a rule. */
  errors?: readonly { pointer: string; detail: string }[];
}

/** Tells any failure in the terms of the public API, with the exit code that it means. */
export function describeError(thrown: unknown): { error: ErrorDescription; exitCode: number } {
  if (thrown instanceof CliError) {
    return { error: { code: thrown.code, detail: thrown.message }, exitCode: thrown.exitCode };
  }
  return { error: describeFailure(thrown), exitCode: failedExitCode };
}

function describeFailure(thrown: unknown): ErrorDescription {
  if (thrown instanceof ProblemError) {
    return {
      code: thrown.code,
      detail: thrown.detail,
      status: thrown.status,
      request_id: thrown.requestId,
      retry_after_seconds: thrown.retryAfterSeconds,
      errors: thrown.errors.length > 0 ? thrown.errors : undefined,
    };
  }
  if (thrown instanceof RpcError) {
    const errors = thrown.violations.length > 0 ? thrown.violations : undefined;
    return { code: thrown.code, detail: thrown.message, errors };
  }
  if (thrown instanceof TransportError) return { code: thrown.code, detail: thrown.message };
  if (!(thrown instanceof Error)) return { code: 'internal', detail: String(thrown) };
  if (thrown.name === 'AbortError') return { code: 'cancelled', detail: 'Cancelled.' };
  // The system's own errors (ENOENT, EACCES, ENOSPC) name the file, which is what helps here.
  const isSystemError = 'syscall' in thrown;
  return { code: isSystemError ? 'io_error' : 'internal', detail: thrown.message };
}

/** Places named at once: about what fits a screen. */
const placesMax = 20;

/**
 * A failure as people read it: its sentence, and below that one indented line
 * for each place that breaks a rule, where the sentence does not say it already.
 */
export function complaintText({ detail, errors = [] }: ErrorDescription): string {
  const places = errors.filter((place) => !detail.includes(place.detail));
  const lines = places.slice(0, placesMax).map(placeLine);
  const more = places.length - lines.length;
  if (more > 0) lines.push(`  and ${more} more, which --json prints`);
  return printable([detail, ...lines].join('\n'));
}

function placeLine({ pointer, detail }: { pointer: string; detail: string }): string {
  // The whole request has the empty pointer.
  const text = pointer === '' ? detail : `${pointer}: ${detail}`;
  return `  ${text.replaceAll('\n', ' ')}`;
}
