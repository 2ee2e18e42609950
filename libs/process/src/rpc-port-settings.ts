import { readFileSync } from 'node:fs';
import { wholeNumber } from '@teammemory/config/setting-types.ts';
import type { ConnectionBounds } from '@teammemory/rpc/server/connection.ts';
import type { z } from 'zod';

/**
 * What the RPC port of every program is told about those who connect to it. A
 * proxy that all callers come through may be given all 2,000 connections that
 * there are.
 */
export const rpcPortSettings = {
  RPC_CONNECTIONS_PER_ADDRESS: wholeNumber({ minimum: 1, maximum: 2_000, default: 1_000 }),
};

/** Connections to an RPC port; a process that may open few files takes a quarter of these at most. */
const maxConnections = 2_000;

/**
 * Returns the bounds of a listener that these settings describe. Where a process takes fewer connections than usual, an
 * address gets the same share of them.
 */
export function connectionBounds(
  settings: z.output<z.ZodObject<typeof rpcPortSettings>>,
  maxDescriptors: number = maxOpenFiles(),
): Pick<ConnectionBounds, 'maxConnections' | 'maxConnectionsPerAddress'> {
  const most = Math.max(2, Math.min(maxConnections, Math.floor(maxDescriptors / 4)));
  const share = settings.RPC_CONNECTIONS_PER_ADDRESS / maxConnections;
  return { maxConnections: most, maxConnectionsPerAddress: Math.max(1, Math.floor(most * share)) };
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
