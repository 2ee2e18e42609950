import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import {
  AppError,
  type DailyCap,
  type ErrorCode,
  errorCodes,
  toAppError,
} from '@teammemory/errors/app-error.ts';
import { type ErrorDetail, ErrorDetailSchema } from '@teammemory/proto/common/v1/error_pb.ts';

/**
 * The one table from our codes to those of RPC, which are coarser; the code
 * itself travels as an ErrorDetail.
 */
const rpcCodes: Record<ErrorCode, Code> = {
  invalid_json: Code.InvalidArgument,
  invalid_key: Code.Unauthenticated,
  unauthenticated: Code.Unauthenticated,
  team_forbidden: Code.PermissionDenied,
  forbidden_tier: Code.PermissionDenied,
  forbidden_access: Code.PermissionDenied,
  forbidden_origin: Code.PermissionDenied,
  permission_denied: Code.PermissionDenied,
  not_found: Code.NotFound,
  method_not_allowed: Code.Unimplemented,
  already_exists: Code.AlreadyExists,
  conflict: Code.Aborted,
  payload_too_large: Code.ResourceExhausted,
  unsupported_media_type: Code.InvalidArgument,
  admin_tier: Code.InvalidArgument,
  contains_secret: Code.InvalidArgument,
  invalid_request: Code.InvalidArgument,
  unknown_member: Code.InvalidArgument,
  invalid_cursor: Code.InvalidArgument,
  rate_limited: Code.ResourceExhausted,
  daily_cap_exceeded: Code.ResourceExhausted,
  quota_exceeded: Code.ResourceExhausted,
  declined: Code.InvalidArgument,
  cancelled: Code.Canceled,
  internal: Code.Internal,
  unimplemented: Code.Unimplemented,
  unavailable: Code.Unavailable,
};

/** Codes of bare RPC errors, which come without an ErrorDetail. */
const codesOfBareErrors: Partial<Record<Code, ErrorCode>> = {
  [Code.Unauthenticated]: 'unauthenticated',
  [Code.PermissionDenied]: 'permission_denied',
  [Code.NotFound]: 'not_found',
  [Code.AlreadyExists]: 'already_exists',
  [Code.InvalidArgument]: 'invalid_request',
  [Code.ResourceExhausted]: 'payload_too_large',
  [Code.Canceled]: 'cancelled',
  [Code.DeadlineExceeded]: 'unavailable',
  [Code.Unavailable]: 'unavailable',
  [Code.Unimplemented]: 'unimplemented',
};

/** Makes an RPC error of anything a handler threw; the cause stays behind. */
export function connectErrorFrom(thrown: unknown): ConnectError {
  if (thrown instanceof ConnectError) return thrown;
  const error = toAppError(thrown);
  const { code, violations, dailyCap, currentChecksum } = error;
  const detail = {
    code,
    violations: [...violations],
    dailyCap: dailyCap && dailyCapToProto(dailyCap),
    ...(currentChecksum === undefined ? {} : { currentChecksum }),
  };
  return new ConnectError(error.message, rpcCodes[error.code], undefined, [
    { desc: ErrorDetailSchema, value: detail },
  ]);
}

/** Makes an AppError of what a client of ours threw; the inverse of `connectErrorFrom`. */
export function appErrorFromRpc(thrown: unknown): AppError {
  if (!(thrown instanceof ConnectError)) return toAppError(thrown);
  const [detail] = thrown.findDetails(ErrorDetailSchema);
  if (detail !== undefined && isErrorCode(detail.code)) {
    const { violations, currentChecksum } = detail;
    const dailyCap = dailyCapFromProto(detail.dailyCap);
    const told = { violations, dailyCap, currentChecksum };
    return new AppError(detail.code, thrown.rawMessage, { cause: thrown, ...told });
  }
  const code = codesOfBareErrors[thrown.code] ?? 'internal';
  const message =
    code === 'unavailable' ? 'A part of the service cannot be reached.' : 'Something went wrong on our side.';
  return new AppError(code, message, { cause: thrown });
}

function isErrorCode(code: string): code is ErrorCode {
  return (errorCodes as readonly string[]).includes(code);
}

function dailyCapToProto({ scope, capMicroDollars, spentMicroDollars, resetAt }: DailyCap) {
  return {
    scope,
    capMicroDollars: BigInt(capMicroDollars),
    spentMicroDollars: BigInt(spentMicroDollars),
    resetAt: timestampFromMs(resetAt),
  };
}

function dailyCapFromProto(cap: ErrorDetail['dailyCap']): DailyCap | undefined {
  if (cap?.resetAt === undefined) return undefined;
  return {
    scope: cap.scope === 'team' ? 'team' : 'member',
    capMicroDollars: Number(cap.capMicroDollars),
    spentMicroDollars: Number(cap.spentMicroDollars),
    resetAt: timestampMs(cap.resetAt),
  };
}
