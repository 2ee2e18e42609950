import { createContextKey, type HandlerContext, type Interceptor } from '@connectrpc/connect';

const closingKey = createContextKey<AbortSignal | undefined>(undefined, {
  description: 'aborts when the server that took the call begins to close',
});

/** Lets handlers of streams without an end of their own know when the server begins to close. */
export function tellClosing(closing: AbortSignal): Interceptor {
  return (next) => (request) => {
    request.contextValues.set(closingKey, closing);
    return next(request);
  };
}

/** Returns a signal that aborts when a call is over, and when the server that took it begins to close. */
export function untilClosing({ signal, values }: Pick<HandlerContext, 'signal' | 'values'>): AbortSignal {
  const closing = values.get(closingKey);
  return closing === undefined ? signal : AbortSignal.any([signal, closing]);
}
