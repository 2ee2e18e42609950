import { ProblemError } from '@teammemory/client/problem-error.ts';
import { RpcError } from '@teammemory/client/rpc/rpc-error.ts';
import { TransportError } from '@teammemory/client/transport-error.ts';
import { printable } from './terminal.ts';

/** Exit codes; 0 means success. */
export const failedExitCode = 1;
const usageExitCode = 2;

/** A failure that the user can do something about. `message` is a whole sentence. */
export class CliError extends Error {
  /** Stable and in snake_case, like the codes of the service. */
  readonly code: string;
  readonly exitCode: number;

  constructor(code: string, message: string, exitCode = failedExitCode) {
    super(message);
    this.name = 'CliError';
    this.code = code;
    this.exitCode = exitCode;
  }
}

/** Makes the error for a mistake in the command line or the settings. */
export function usageError(message: string): CliError {
  return new CliError('usage', message, usageExitCode);
}

/** An error as `--json` prints it. */
export interface ErrorDescription {
  code: string;
  detail: string;
  status?: number;
  request_id?: string;
  retry_after_seconds?: number;
  /** The fields of the request that break a rule, each with a JSON Pointer. */
  errors?: readonly { pointer: string; detail: string }[];
}

/** Describes any failure with the codes of the public API, and returns the exit code. */
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
  // Errors of the system (ENOENT, EACCES, ENOSPC) name the file, which helps the user.
  const isSystemError = 'syscall' in thrown;
  return { code: isSystemError ? 'io_error' : 'internal', detail: thrown.message };
}

/** Faults listed at once: about as many as fit on a screen. */
const maxFaults = 20;

/**
 * Returns the text of an error for people: its sentence, and below it an indented line for each field that breaks a
 * rule, unless the sentence already says so.
 */
export function errorText({ detail, errors = [] }: ErrorDescription): string {
  const faults = errors.filter((fault) => !detail.includes(fault.detail));
  const lines = faults.slice(0, maxFaults).map(faultLine);
  const more = faults.length - lines.length;
  if (more > 0) lines.push(`  and ${more} more (--json prints all)`);
  return printable([detail, ...lines].join('\n'));
}

function faultLine({ pointer, detail }: { pointer: string; detail: string }): string {
  // An empty pointer means the whole request.
  const text = pointer === '' ? detail : `${pointer}: ${detail}`;
  return `  ${text.replaceAll('\n', ' ')}`;
}
