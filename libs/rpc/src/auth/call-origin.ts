import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { isIPv6 } from 'node:net';
import {
  createContextKey,
  type HandlerContext,
  type Interceptor,
  type StreamResponse,
} from '@connectrpc/connect';
import { isClientName } from '@teammemory/vocabulary/client-name.ts';
import { principalKey } from './caller-context.ts';

// A call carries its caller, the id of the request that it belongs to, and the client's address and program.

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

/** The header in which a part tells whose call it passes on, or makes a call for: the client's IP address. */
export const clientAddressHeader = 'x-client-address';
/** The header in which the gateway tells with which program a caller works. */
export const clientNameHeader = 'x-client-name';

/** Set by the listener: the address of the connection. Unset for a call within a process, which only parts make. */
export const connectionAddressKey = createContextKey<string | undefined>(undefined, {
  description: 'IP address of the connection',
});
/** Set by the gate where the call came through a part of the installation. */
export const viaPartKey = createContextKey(false, { description: 'whether another part passes the call on' });

/** Returns an address as people write it: IPv4 without the prefix that IPv6 gives it. Empty for none. */
export function plainAddress(address = ''): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Returns whom an address counts as: of IPv6 its network (64 bits), where a machine has as many addresses as it likes. */
export function networkOf(address = ''): string {
  const plain = plainAddress(address);
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('%')[0]?.split('::') ?? [];
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array.from({ length: zeros }, () => '0'), ...right].slice(0, 4).join(':');
}

/**
 * Returns the IP address of the client of a call, or an empty text if it is not known. Only parts of this installation are
 * believed about the address of another.
 */
export function clientAddressOf(context: Pick<HandlerContext, 'values' | 'requestHeader'>): string {
  if (isMadeByPart(context)) return context.requestHeader.get(clientAddressHeader) ?? '';
  return context.values.get(connectionAddressKey) ?? '';
}

/** Returns whether a part of this installation makes a call, or passes it on, so that it is believed about the client. */
function isMadeByPart({ values }: Pick<HandlerContext, 'values'>): boolean {
  const principal = values.get(principalKey);
  return (
    values.get(connectionAddressKey) === undefined ||
    values.get(viaPartKey) ||
    (principal !== undefined && principal.kind !== 'administrator' && principal.direct !== true)
  );
}

/** Returns with which program a call was made, as the gateway tells it. Undefined where it does not, and for direct calls. */
export function clientNameOf(context: Pick<HandlerContext, 'values' | 'requestHeader'>): string | undefined {
  const name = isMadeByPart(context) ? (context.requestHeader.get(clientNameHeader) ?? '') : '';
  return isClientName(name) ? name : undefined;
}
