import { isIPv6 } from 'node:net';
import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import { isClientName } from '@teammemory/vocabulary/client-name.ts';
import { principalKey } from './caller-context.ts';

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
export function isMadeByPart({ values }: Pick<HandlerContext, 'values'>): boolean {
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
