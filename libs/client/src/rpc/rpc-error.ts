import { Code, ConnectError } from '@connectrpc/connect';
import { type ErrorDetail, ErrorDetailSchema } from '@teammemory/proto/common/v1/error_pb.ts';

/** An RPC failed. `code` is the service's own code, `message` its public sentence. */
export class RpcError extends Error {
  readonly code: string;
  readonly violations: readonly { pointer: string; detail: string }[];

  constructor(code: string, message: string, detail?: ErrorDetail, cause?: unknown) {
    super(message, { cause });
    this.name = 'RpcError';
    this.code = code;
    this.violations =
      detail?.violations.map(({ pointer, detail: text }) => ({ pointer, detail: text })) ?? [];
  }
}

/**
 * Turns anything that a call threw into an RpcError. The code comes from the error's detail, because Connect's own
 * codes are coarser. An error without a detail did not come from the service and gets a sentence of this client.
 */
export function toRpcError(thrown: unknown): RpcError {
  const error = ConnectError.from(thrown);
  const [detail] = error.findDetails(ErrorDetailSchema);
  if (detail) return new RpcError(detail.code, error.rawMessage, detail, thrown);
  if (error.code === Code.Canceled) return new RpcError('cancelled', 'Cancelled.', undefined, thrown);
  if (error.code === Code.DeadlineExceeded) {
    return new RpcError('timed_out', 'The service did not answer in time.', undefined, thrown);
  }
  // What the transport makes of a connection that breaks; the service's own codes have a detail.
  if (error.code === Code.Aborted) {
    return new RpcError('unreachable', 'The connection to the service was lost.', undefined, thrown);
  }
  if (error.code === Code.Unavailable) {
    return new RpcError('unreachable', 'The service cannot be reached.', undefined, thrown);
  }
  if ((error.cause as NodeJS.ErrnoException | undefined)?.code === 'ERR_HTTP2_ERROR') {
    const text = 'The server does not speak HTTP/2, as the RPC port of a service does.';
    return new RpcError('invalid_answer', text, undefined, thrown);
  }
  const code = Code[error.code].replace(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
  return new RpcError(code, error.rawMessage, undefined, thrown);
}
