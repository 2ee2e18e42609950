import { Code, ConnectError } from '@connectrpc/connect';
import { type ErrorDetail, ErrorDetailSchema } from '@teammemory/proto/common/v1/error_pb.ts';

/** An administrative call failed. `code` is the service's own code, `message` its public sentence. */
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
 * Makes an RpcError of anything a call threw. Connect's own codes are coarser
 * than the service's, so the code comes from the error's detail where it has one;
 * an error without a detail was made on the way and is told in our words.
 */
export function toRpcError(thrown: unknown): RpcError {
  const error = ConnectError.from(thrown);
  const [detail] = error.findDetails(ErrorDetailSchema);
  if (detail) return new RpcError(detail.code, error.rawMessage, detail, thrown);
  if (error.code === Code.DeadlineExceeded) {
    return new RpcError('timed_out', 'The service did not answer in time.', undefined, thrown);
  }
  if (error.code === Code.Unavailable) {
    return new RpcError('unreachable', 'The service cannot be reached.', undefined, thrown);
  }
  const code = Code[error.code].replace(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
  return new RpcError(code, error.rawMessage, undefined, thrown);
}

/** Runs a call and throws an RpcError for anything that goes wrong in it. */
export async function translate<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof RpcError ? thrown : toRpcError(thrown);
  }
}

/** Message fields are optional in proto3; a service that leaves one of these out is not ours. */
export function given<Message>(message: Message | undefined): Message {
  if (message === undefined) {
    throw new RpcError('invalid_answer', 'The server left out what it was asked for.');
  }
  return message;
}
