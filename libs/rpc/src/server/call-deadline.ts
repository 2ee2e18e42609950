import type { IncomingHttpHeaders } from 'node:http2';
import { parseTimeout as parseConnectTimeout } from '@connectrpc/connect/protocol-connect';
import { parseTimeout as parseGrpcTimeout } from '@connectrpc/connect/protocol-grpc';

/**
 * How long a call may take by its headers, at most `maxMs`, and the header that
 * tells so to whom the call is passed on. A deadline that cannot be read is
 * left as it is: the service refuses the call.
 */
export function callDeadline(
  headers: IncomingHttpHeaders,
  maxMs: number,
): { timeoutMs: number; header: Record<string, string> } {
  const isGrpc = headers['content-type']?.startsWith('application/grpc') ?? false;
  const name = isGrpc ? 'grpc-timeout' : 'connect-timeout-ms';
  const parse = isGrpc ? parseGrpcTimeout : parseConnectTimeout;
  const asked = headers[name];
  const { timeoutMs: askedMs = maxMs, error } = parse(asked === undefined ? null : String(asked), Infinity);
  if (error !== undefined) return { timeoutMs: maxMs, header: {} };
  const timeoutMs = Math.ceil(Math.min(askedMs, maxMs));
  return { timeoutMs, header: { [name]: isGrpc ? `${timeoutMs}m` : String(timeoutMs) } };
}
