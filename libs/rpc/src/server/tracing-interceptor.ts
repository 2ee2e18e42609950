import type { Interceptor, StreamResponse } from '@connectrpc/connect';
import { eachWithin, isTracing, openSpan, within } from '@teammemory/telemetry/span.ts';
import { principalKey } from '../auth/caller-context.ts';
import { appErrorFromRpc } from '../error-translation.ts';
import { requestIdOf } from '../request-id.ts';
import { untilEnd } from './until-end.ts';

/**
 * Makes each call a span of the trace that its caller's `traceparent` names,
 * with service, method, code, request id and the caller's team. That of a
 * stream ends with the stream. While nothing is traced it does nothing.
 */
export const tracingInterceptor: Interceptor = (next) => async (request) => {
  if (!isTracing()) return next(request);
  const { service, method, header, contextValues } = request;
  const span = openSpan(`${service.typeName}/${method.name}`, 'server', {
    attributes: { 'rpc.service': service.typeName, 'rpc.method': method.name },
    traceparent: header.get('traceparent'),
  });
  const end = (thrown?: unknown): void => {
    const principal = contextValues.get(principalKey);
    const error = thrown === undefined ? undefined : appErrorFromRpc(thrown);
    const known = {
      'rpc.code': error?.code ?? 'ok',
      'request.id': requestIdOf(header),
      ...(principal?.kind === 'member' ? { 'team.id': principal.caller.teamId } : {}),
    };
    span.end(known, error);
  };
  try {
    const response = await within(span, () => next(request));
    if (response.stream) {
      return { ...response, message: untilEnd(eachWithin(span, response.message), end) } as StreamResponse;
    }
    end();
    return response;
  } catch (thrown) {
    end(thrown);
    throw thrown;
  }
};
