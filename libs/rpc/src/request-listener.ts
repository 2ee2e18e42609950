import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { Code, ConnectError, type ConnectRouter, createConnectRouter } from '@connectrpc/connect';
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from '@connectrpc/connect-node';
import { refuseCall } from './refuse-call.ts';

/** How long the message of a call may take to arrive; Connect waits for it whatever the deadline. */
const defaultMessageTimeoutMs = 120_000;

export interface RequestListenerOptions extends NonNullable<Parameters<typeof createConnectRouter>[0]> {
  /** 120,000 unless told. */
  messageTimeoutMs?: number;
  /** Adds the services. */
  routes(router: ConnectRouter): void;
}

/**
 * Answers the calls of an HTTP/2 listener. Connect has such an adapter, which
 * ends the process on a request with a malformed `:authority`, and writes to
 * standard error when a caller goes away.
 */
export function createRequestListener({
  routes,
  messageTimeoutMs = defaultMessageTimeoutMs,
  ...options
}: RequestListenerOptions) {
  const router = createConnectRouter({ ...options, acceptCompression: [] });
  routes(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));

  async function answer(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const [path = ''] = request.url.split('?');
    const handler = handlers.get(path);
    if (handler === undefined) throw new ConnectError('there is no such method', Code.Unimplemented);
    if (handler.method.methodKind === 'unary' || handler.method.methodKind === 'server_streaming') {
      cutIfSlow(request, messageTimeoutMs);
    }
    const call = universalRequestFromNodeRequest(request, response, undefined, undefined);
    await universalResponseToNodeResponse(await handler(call), response);
  }

  return async (request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> => {
    try {
      await answer(request, response);
    } catch (error) {
      // What a handler throws has been answered and logged. What is left is a
      // request that cannot be read, or a caller that is gone.
      if (response.headersSent) response.stream.close();
      else refuseCall(request.stream, request.headers, error instanceof ConnectError ? error : unreadable());
    }
  };
}

/** Resets a call whose message does not arrive in time. */
function cutIfSlow(request: Http2ServerRequest, timeoutMs: number): void {
  const timer = setTimeout(() => request.stream.close(constants.NGHTTP2_CANCEL), timeoutMs);
  const cancel = () => clearTimeout(timer);
  request.once('end', cancel);
  request.stream.once('close', cancel);
}

function unreadable(): ConnectError {
  return new ConnectError('the request cannot be read', Code.InvalidArgument);
}
