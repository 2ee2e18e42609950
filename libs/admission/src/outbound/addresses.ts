import { BlockList, isIP } from 'node:net';

/**
 * IPv4 that is not for everyone, by IANA's registry of special-purpose addresses, and the address at which Azure gives
 * machines their metadata.
 */
const specialIpv4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24'],
  ...['192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '168.63.129.16/32'],
];
/** Only addresses of this range are for everyone: mapped, translated (NAT64), local and multicast ones are outside. */
const globalIpv6 = '2000::/3';
/** Parts of it that are not: tunnels that carry IPv4 (Teredo, 6to4), and addresses of documents and measurements. */
const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

/** Which addresses that somebody else chose may be called. */
export interface CheckedAddresses {
  /** Whether a setting allows addresses, so that a name over `http:` may be one of them. */
  allowsHttp: boolean;
  /** Whether the host of a URL may be called. A name may: where it leads is checked at each call. */
  mayCallHost(url: URL): boolean;
  /** Whether an IP address may be called; over `http:` only what a setting allows. */
  mayCall(address: string, protocol: string): boolean;
}

/** Makes the rules: public addresses, and what is in the ranges `allowed` (`10.1.0.0/16`, or one address). */
export function createAddressRules(allowed: readonly string[]): CheckedAddresses {
  const allowedList = listOf(allowed);
  const special = listOf([...specialIpv4, ...specialIpv6]);
  const global = listOf([globalIpv6]);
  function mayCall(address: string, protocol: string): boolean {
    const version = isIP(address);
    // An address with a zone is one of this machine's own network.
    if (version === 0 || address.includes('%')) return false;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    if (allowedList.check(address, family)) return true;
    if (protocol !== 'https:' || special.check(address, family)) return false;
    return version === 4 || global.check(address, family);
  }
  return {
    allowsHttp: allowed.length > 0,
    mayCall,
    mayCallHost(url) {
      const address = addressIn(url);
      return address === undefined || mayCall(address, url.protocol);
    },
  };
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    list.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  return list;
}

/** Returns the IP address that a URL names, without the brackets of IPv6; undefined for a name. */
export function addressIn({ hostname }: URL): string | undefined {
  const address = hostname.replace(/^\[|\]$/g, '');
  return isIP(address) === 0 ? undefined : address;
}
