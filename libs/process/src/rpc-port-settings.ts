import { readFileSync } from 'node:fs';
import { wholeNumber } from '@teammemory/config/setting-types.ts';
import type { ConnectionBounds } from '@teammemory/rpc/server/guard-connection.ts';
import type { z } from 'zod';

/**
 * What the RPC port of every program is told about those who connect to it. A
 * proxy that all callers come through may be given all 2,000 connections that
 * there are.
 */
export const rpcPortSettings = {
  RPC_CONNECTIONS_PER_ADDRESS: wholeNumber({ minimum: 1, maximum: 2_000, default: 1_000 }),
};

/** Shares of a process's descriptors: a quarter for all connections to an RPC port, an eighth for strangers. */
const shares = { connections: 1 / 4, strangers: 1 / 8 };
/** With more descriptors than most systems give a process, these stay. */
const most = { connections: 2_000, strangers: 500 };

/**
 * Returns the bounds of a listener that these settings describe. A process that may open few
 * files takes fewer connections, so that strangers never take the last one.
 */
export function connectionBounds(
  settings: z.output<z.ZodObject<typeof rpcPortSettings>>,
  maxDescriptors: number = maxOpenFiles(),
): Pick<ConnectionBounds, 'maxConnections' | 'maxConnectionsPerAddress' | 'maxStrangers'> {
  const share = (of: keyof typeof shares) =>
    Math.max(1, Math.min(most[of], Math.floor(maxDescriptors * shares[of])));
  const maxConnections = share('connections');
  return {
    maxConnections,
    maxConnectionsPerAddress: Math.min(settings.RPC_CONNECTIONS_PER_ADDRESS, maxConnections),
    maxStrangers: share('strangers'),
  };
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
