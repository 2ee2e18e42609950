import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Interceptor, StreamResponse } from '@connectrpc/connect';

/** The header that carries the id, in calls and in answers. */
export const requestIdHeader = 'x-request-id';
const sane = /^[A-Za-z0-9._:-]{1,128}$/;
/** A key, credential, link or session of ours, which somebody put into the wrong header; ids stand in logs and answers. */
const secret = /tms[slnoiacr]?_[0-9A-Za-z]{16}_[0-9A-Za-z]{43}/;

/** A caller's own request id, if it is one that can stand in logs and answers; else undefined. */
export function saneRequestId(header: unknown): string | undefined {
  return typeof header === 'string' && sane.test(header) && !secret.test(header) ? header : undefined;
}

/** The request id of a call: its caller's own, where that is sane, else a new one, which then stands in its headers. */
export function requestIdOf(header: Headers): string {
  const given = saneRequestId(header.get(requestIdHeader));
  if (given !== undefined) return given;
  const made = randomUUID();
  header.set(requestIdHeader, made);
  return made;
}

/** The id of the request that this process is answering, for the calls that it makes meanwhile. */
const answering = new AsyncLocalStorage<string>();

/**
 * Keeps the request id of each call while its handler runs, so that the calls which the handler makes carry it too.
 * A call without an id gets one.
 */
export const requestIdInterceptor: Interceptor = (next) => async (request) => {
  const id = requestIdOf(request.header);
  const response = await answering.run(id, () => next(request));
  if (!response.stream) return response;
  const message = eachAnswering(id, response.message as AsyncIterable<object>);
  return { ...response, message } as StreamResponse;
};

/** The header with the id of the request that is being answered; empty for work that no request asked for. */
export function requestIdHeaders(): Record<string, string> {
  const id = answering.getStore();
  return id === undefined ? {} : { [requestIdHeader]: id };
}

/** A generator runs in the context that asks for its next message, which is not the one that it was made in. */
function eachAnswering<Message>(
  id: string,
  messages: AsyncIterable<Message>,
): AsyncIterableIterator<Message> {
  const iterator = messages[Symbol.asyncIterator]();
  return {
    next: () => answering.run(id, () => iterator.next()),
    async return() {
      await iterator.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
