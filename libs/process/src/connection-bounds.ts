import { readFileSync } from 'node:fs';
import type { ConnectionBounds } from '@teammemory/rpc/server/connection.ts';

/** Connections to an RPC port; a process that may open few files takes a quarter of these at most. */
const maxConnections = 2_000;

/**
 * Returns the bounds of a listener for RPCs. One address may have half of the connections, which is far more than a proxy
 * needs that all callers come through: HTTP/2 carries many calls on one.
 */
export function connectionBounds(
  maxDescriptors: number = maxOpenFiles(),
): Pick<ConnectionBounds, 'maxConnections' | 'maxConnectionsPerAddress'> {
  const most = Math.max(2, Math.min(maxConnections, Math.floor(maxDescriptors / 4)));
  return { maxConnections: most, maxConnectionsPerAddress: Math.floor(most / 2) };
}

/** Descriptors that this process may have open (`ulimit -n`); infinite where the system does not say. */
function maxOpenFiles(): number {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return found === undefined ? Number.POSITIVE_INFINITY : Number(found);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
