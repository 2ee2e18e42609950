import type { Interceptor, StreamResponse } from '@connectrpc/connect';
import { orAborted, untilAborted } from './until-aborted.ts';

/**
 * Ends a call with its signal, whether its handler looks at that or not: at its
 * deadline, when its caller goes away, and when the server has to stop.
 */
export const endWithSignal: Interceptor = (next) => async (request) => {
  const response = await orAborted(next(request), request.signal);
  if (!response.stream) return response;
  return { ...response, message: untilAborted(response.message, request) } as StreamResponse;
};
