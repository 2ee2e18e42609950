import { lookup } from 'node:dns/promises';

/** Answers the IP addresses that a host name has now. @throws when there are none, or nobody can tell. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/**
 * Asks the system, as connecting does: its file of hosts and its search domains
 * count. Answers the addresses of the family that the system prefers: a process
 * that has one of each must not count twice.
 */
export const resolveName: ResolveName = async (name) => {
  const found = await lookup(name, { all: true });
  return found.filter(({ family }) => family === found[0]?.family).map(({ address }) => address);
};
