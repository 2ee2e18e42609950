import { Code, ConnectError, createContextKey, type Interceptor } from '@connectrpc/connect';
import type { CallCharge, RefusalReason } from './call-budgets.ts';

/** Set by the listener: what the call is charged to. Undefined within one process. */
export const chargeKey = createContextKey<CallCharge | undefined>(undefined, {
  description: 'what the call is charged to',
});
/** Set once the message of a call was decoded. */
export const decodedKey = createContextKey(false, { description: 'whether the message was decoded' });

/** Errors that whoever makes the call could have known before. */
const reasons: Partial<Record<Code, RefusalReason>> = {
  [Code.InvalidArgument]: 'invalid',
  [Code.PermissionDenied]: 'denied',
};

/**
 * Charges calls that a handler refuses to the key that made them. It stands
 * before all that a service has, on a listener only.
 */
export const chargeRefusals: Interceptor = (next) => async (request) => {
  request.contextValues.set(decodedKey, true);
  try {
    return await next(request);
  } catch (thrown) {
    const reason = thrown instanceof ConnectError ? reasons[thrown.code] : undefined;
    if (reason !== undefined) request.contextValues.get(chargeKey)?.refused(reason);
    throw thrown;
  }
};
