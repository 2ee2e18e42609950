import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, SocketAddress } from 'node:net';
import { plainAddress } from '@teammemory/rpc/auth/call-origin.ts';

/** Proxies that one request may have passed. What stands left of them is not looked at, however much a client writes there. */
const maxHops = 32;
/** An address as proxies write it: IPv4 or IPv6, alone or with a port. */
const withPort = /^(?:\[([0-9a-f:.]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/i;
/** The address of one element of `Forwarded`: for=192.0.2.60, for="[2001:db8::1]:4711". */
const forwardedFor = /(?:^|;)\s*for\s*=\s*(?:"([^"\\]*)"|([^\s";,]+))\s*(?=;|$)/i;

/** Returns the IP address of the client of a request. */
export type ClientAddressOf = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string;

/**
 * Makes the only function that says where a request comes from: the address of its connection or, if that is one of
 * `trustedProxies` (IP addresses and ranges), the rightmost address that these proxies report and that is none of them.
 * What stands left of it was written by the client and is not looked at. `X-Forwarded-For` counts before `Forwarded`. If a
 * proxy reports what is no address, the connection's counts.
 */
export function createClientAddressOf(trustedProxies: readonly string[]): ClientAddressOf {
  const trusted = new BlockList();
  for (const range of trustedProxies) {
    const [address = '', bits] = range.split('/');
    const family = familyOf(address);
    trusted.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  const isTrusted = (address: string) => isIP(address) !== 0 && trusted.check(address, familyOf(address));

  return ({ socket, headers }) => {
    const connection = plainAddress(socket.remoteAddress);
    if (trustedProxies.length === 0 || !isTrusted(connection.replace(/%.*$/, ''))) return connection;
    let client = connection;
    for (const hop of reportedHops(headers).slice(-maxHops).toReversed()) {
      const address = addressIn(hop);
      if (address === undefined) return connection;
      client = address;
      if (!isTrusted(client)) return client;
    }
    return client;
  };
}

/** Returns what proxies reported, the last one's word last. */
function reportedHops({ 'x-forwarded-for': list, forwarded }: IncomingMessage['headers']): string[] {
  if (list !== undefined) return String(list).split(',');
  if (forwarded === undefined) return [];
  return forwarded.split(',').map((element) => {
    const [, quoted, token] = forwardedFor.exec(element) ?? [];
    return quoted ?? token ?? '';
  });
}

/** Returns the address of a hop in its usual form, without its port; undefined for what is none, such as `unknown`. */
function addressIn(hop: string): string | undefined {
  const text = hop.trim();
  const [, inBrackets, beforePort] = withPort.exec(text) ?? [];
  const address = inBrackets ?? beforePort ?? text;
  if (isIP(address) === 0 || address.includes('%')) return undefined;
  return plainAddress(new SocketAddress({ address, family: familyOf(address) }).address);
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
