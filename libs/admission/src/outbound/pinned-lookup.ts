import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { addressIn, type CheckedAddresses } from './addresses.ts';

/** Waiting for one name server; the next one is asked then. */
const nameServerTimeoutMs = 3_000;
/** Addresses of one name that are tried. */
const maxAddresses = 16;

/** Returns all addresses of a name, IPv4 first. Throws where there are none. */
export type ResolveAddresses = (name: string) => Promise<string[]>;

interface Address {
  address: string;
  family: number;
}

/**
 * Makes the look-up of a request to a URL that somebody else chose: it leads to the addresses that were checked here, so
 * that the name cannot lead elsewhere in between. Undefined where the name has no address that may be called.
 */
export function createPinnedLookup({
  rules,
  resolve = createResolve(),
}: {
  rules: CheckedAddresses;
  resolve?: ResolveAddresses;
}): (url: URL) => Promise<LookupFunction | undefined> {
  return async (url) => {
    const literal = addressIn(url);
    const found = literal === undefined ? await resolve(url.hostname).catch(() => []) : [literal];
    const allowed = found.filter((address) => rules.mayCall(address, url.protocol)).slice(0, maxAddresses);
    if (allowed.length === 0) return undefined;
    return lookupAmong(allowed.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  };
}

function lookupAmong(addresses: readonly Address[]): LookupFunction {
  const [first] = addresses;
  return (_name, { all }, callback) => {
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

/**
 * Asks name servers, not the system's resolver: that one blocks a thread of few for as long as a slow name server takes,
 * and its hosts file is about this machine. Without `servers` those of the machine, which are read again each time.
 */
export function createResolve(servers?: readonly string[]): ResolveAddresses {
  return async (name) => {
    const resolver = new Resolver({ timeout: nameServerTimeoutMs, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}
