import type {
  DescMethod,
  DescMethodServerStreaming,
  DescMethodUnary,
  MessageInitShape,
} from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  type ContextValues,
  createContextKey,
  createContextValues,
  type HandlerContext,
  type MethodImpl,
} from '@connectrpc/connect';
import { createAsyncIterable } from '@connectrpc/connect/protocol';
import { requestIdHeader } from '@teammemory/rpc/auth/call-origin.ts';
import type { Caller } from '@teammemory/rpc/auth/principal.ts';
import { affinityKey } from '@teammemory/rpc/client/network-transport.ts';
import { appErrorFromRpc, connectErrorFrom } from '@teammemory/rpc/error-translation.ts';
import { viaPartHeader } from '@teammemory/rpc/server/guard-service.ts';
import type { Callers } from '../caller.ts';
import { type CallOrigin, originHeaders, type Transports } from '../clients.ts';
import type { Refusals } from '../refusals/refusals.ts';

/** How long a unary call may take; stores give up earlier. */
const unaryTimeoutMs = 10_000;
/** How long a stream may take. */
export const streamTimeoutMs = 120_000;

/** For whom a call is passed on. */
export interface ForwardedCall extends CallOrigin {
  caller: Caller;
}

/** Set once the caller is known, before the message is read. */
export const forwardedCallKey = createContextKey<ForwardedCall | undefined>(undefined, {
  description: 'for whom a call is passed on',
});

export interface Forwarding {
  callers: Callers;
  transports: Transports;
  refusals: Refusals;
}

/** Makes the implementation of a method that passes each call on to its service, as a member who calls directly. */
export function forwardedMethod<Method extends DescMethod>(
  method: Method,
  { callers, transports, refusals }: Forwarding,
): MethodImpl<Method> {
  const audience = audienceOf(method);
  const transport = transports[audience];

  async function headersOf(call: ForwardedCall): Promise<Record<string, string>> {
    const token = await callers.directTokenFor(call.caller, audience);
    const via = await callers.gatewayTokenFor(audience);
    return { authorization: `Bearer ${token}`, [viaPartHeader]: via, ...originHeaders(call) };
  }
  // Questions of a team go to the query replica with the team's warm index, while that replica is reachable.
  const valuesFor = ({ caller }: ForwardedCall): ContextValues | undefined =>
    audience === 'query' ? createContextValues().set(affinityKey, caller.teamId) : undefined;

  function refused(error: unknown, { caller, requestId }: ForwardedCall): ConnectError {
    refusals.note(caller, nameOf(method), appErrorFromRpc(error));
    return publicError(error, requestId);
  }

  async function unary(message: MessageInitShape<DescMethod['input']>, context: HandlerContext) {
    const call = callOf(context);
    try {
      const headers = await headersOf(call);
      const described = method as DescMethodUnary;
      const answer = await transport.unary(
        described,
        context.signal,
        unaryTimeoutMs,
        headers,
        message,
        valuesFor(call),
      );
      return answer.message;
    } catch (error) {
      throw refused(error, call);
    }
  }

  async function* serverStreaming(message: MessageInitShape<DescMethod['input']>, context: HandlerContext) {
    const call = callOf(context);
    try {
      const headers = await headersOf(call);
      const described = method as DescMethodServerStreaming;
      const messages = createAsyncIterable([message]);
      const answer = await transport.stream(
        described,
        context.signal,
        streamTimeoutMs,
        headers,
        messages,
        valuesFor(call),
      );
      yield* answer.message;
    } catch (error) {
      throw refused(error, call);
    }
  }

  return (method.methodKind === 'unary' ? unary : serverStreaming) as unknown as MethodImpl<Method>;
}

/** The name of a method, as `ListRefusals` has it. */
export function nameOf({ parent, name }: DescMethod): string {
  return `${parent.typeName}/${name}`;
}

/** An error as the page gets it: with our code, the public message and the id of the request, and without its cause. */
export function publicError(thrown: unknown, requestId: string): ConnectError {
  const error = connectErrorFrom(appErrorFromRpc(thrown));
  error.metadata.set(requestIdHeader, requestId);
  return error;
}

function callOf({ values }: HandlerContext): ForwardedCall {
  const call = values.get(forwardedCallKey);
  if (call === undefined) throw new ConnectError('The call has no caller.', Code.Unauthenticated);
  return call;
}

function audienceOf(method: DescMethod): keyof Transports {
  // teammemory.content.v1.ContentService is the service `content`.
  return method.parent.typeName.split('.')[1] as keyof Transports;
}
