import { type DescMethod, getOption, hasOption } from '@bufbuild/protobuf';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { limits as limitsOption } from '@teammemory/proto/common/v1/limits_pb.ts';

/** Limits of one method on the RPC port; `teammemory/common/v1/limits.proto` explains each. */
export interface MethodLimits {
  maxRequestBytes: number;
  maxElements: number;
  memberCallsPerMinute: number;
  gatewayOnly: boolean;
  administratorsOnly: boolean;
  confirmsCaller: boolean;
}

/**
 * For health checks and reflection, whose protos are not ours: a question about
 * a service or a symbol is a name. Everybody may ask.
 */
const limitsOfForeignMethods: MethodLimits = {
  maxRequestBytes: 16 * 1024,
  maxElements: 64,
  memberCallsPerMinute: 600,
  gatewayOnly: false,
  administratorsOnly: false,
  confirmsCaller: false,
};

const known = new WeakMap<DescMethod, MethodLimits>();

/** The limits of a method, as its proto says them. */
export function limitsOf(method: DescMethod): MethodLimits {
  let limits = known.get(method);
  if (limits === undefined) {
    limits = hasOption(method, limitsOption) ? getOption(method, limitsOption) : limitsOfForeignMethods;
    known.set(method, limits);
  }
  return limits;
}

/** Whether a method of our services is called without a token: only the one where tokens come from. */
export function isOpenMethod(method: DescMethod): boolean {
  return method === AuthService.method.exchangeCredential;
}
