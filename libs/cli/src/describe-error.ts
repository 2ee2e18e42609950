import { ProblemError } from '@teammemory/client/problem-error.ts';
import { RpcError } from '@teammemory/client/rpc/rpc-error.ts';
import { TransportError } from '@teammemory/client/transport-error.ts';
import { ScanError } from '@teammemory/scan/scan-error.ts';
import { SyncError } from '@teammemory/sync/sync-error.ts';
import type { Attempt } from './cli-context.ts';
import type { ErrorDescription } from './cli-error.ts';

// Loaded when a command has failed: it brings all of the SDK's errors.

/** Describes any failure but a CliError with the codes of the public API, the address that was tried and what to do. */
export function describeFailure(thrown: unknown, tried: Attempt | undefined, now: Date): ErrorDescription {
  const error = describe(thrown);
  if (tried === undefined || !isOfService(thrown) || !needsAddress(error)) return error;
  return { ...error, tried: attemptText(tried), next_step: nextStep(error, tried, now) };
}

function describe(thrown: unknown): ErrorDescription {
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
  if (thrown instanceof TransportError || thrown instanceof SyncError || thrown instanceof ScanError) {
    return { code: thrown.code, detail: thrown.message };
  }
  if (!(thrown instanceof Error)) return { code: 'internal', detail: String(thrown) };
  if (thrown.name === 'AbortError') return { code: 'cancelled', detail: 'Cancelled.' };
  // Errors of the system (ENOENT, EACCES) name the file, which helps the user.
  if (!('syscall' in thrown)) return { code: 'internal', detail: thrown.message };
  const { code, path } = thrown as NodeJS.ErrnoException;
  const isFull = code === 'ENOSPC' && path !== undefined;
  return {
    code: 'io_error',
    detail: isFull ? `The disk is full: ${path} cannot be written.` : thrown.message,
  };
}

function isOfService(thrown: unknown): boolean {
  return thrown instanceof ProblemError || thrown instanceof RpcError || thrown instanceof TransportError;
}

/** What follows from the address, the key or the team; other refusals are about what was sent. */
const codesOfAccess: ReadonlySet<string> = new Set([
  'unreachable',
  'unimplemented',
  'timed_out',
  'invalid_answer',
  'unavailable',
  'unauthenticated',
  'invalid_key',
  'team_forbidden',
  'forbidden_tier',
  'forbidden_access',
  'internal',
  'unknown',
]);

function needsAddress({ code, status }: ErrorDescription): boolean {
  return codesOfAccess.has(code) || (status !== undefined && status >= 500);
}

function attemptText({ url, urlFrom, team, keyFrom }: Attempt): string {
  const who = [
    ...(team === undefined ? [] : [`team ${team}`]),
    ...(keyFrom === undefined ? [] : [`key from ${keyFrom}`]),
  ];
  return [`${url} (from ${urlFrom})`, ...who].join(', ');
}

function nextStep(
  { code, status, retry_after_seconds: seconds }: ErrorDescription,
  { port, url, team, keyFrom, keyExpiresAt }: Attempt,
  now: Date,
): string | undefined {
  const readiness = port === 'api' ? `${url}/readyz` : '/readyz of the public port';
  const login = `tms login --url ${url}${team === undefined ? '' : ` --team ${team}`}`;
  switch (code) {
    case 'unreachable':
    case 'timed_out':
      return port === 'rpc'
        ? 'check that the service runs, or set the address of its RPC port in TMS_RPC_URL'
        : 'check that the service runs there, or set another address with --url or TMS_URL';
    case 'unavailable':
      return `try again${seconds === undefined ? ' in a moment' : ` in ${seconds} s`}; ${readiness} shows what is missing`;
    case 'invalid_answer':
    case 'unknown':
    case 'unimplemented':
      if (port === 'rpc') return notRpcPort;
      if (status === 501)
        return 'that is the RPC port of a service: use its public address, whose port is 8080 by default';
      return 'check that the address is that of a Team Memory Service, not of a proxy or another program';
    case 'unauthenticated':
    case 'invalid_key':
      if (keyFrom === undefined)
        return 'set TMS_ADMIN_TOKEN to the valid token of an operator; a service without BOOTSTRAP_TOKEN=off writes a new admin.json when it is started again';
      // The service says the same of every key that it refuses; the expiry was stored with this one.
      if (keyExpiresAt !== undefined && Date.parse(keyExpiresAt) <= now.getTime())
        return `the key expired at ${keyExpiresAt}; ask an administrator for a new one, and store it: ${login}`;
      return `ask an administrator for a new key, and store it: ${login}`;
    case 'team_forbidden':
      return `check the name of the team, or store a key of that team: ${login}`;
    case 'forbidden_tier':
    case 'forbidden_access':
      return 'ask an administrator for a key that allows this; tms whoami shows what this one allows';
    default:
      return undefined;
  }
}

const notRpcPort =
  'check that the address is that of the RPC port (7100 by default), and not of the public one; TMS_RPC_URL sets it';
