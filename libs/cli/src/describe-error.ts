import { ProblemError } from '@teammemory/client/problem-error.ts';
import { RpcError } from '@teammemory/client/rpc-error.ts';
import { TransportError } from '@teammemory/client/transport-error.ts';
import { CliError, failedExitCode } from './cli-error.ts';

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
