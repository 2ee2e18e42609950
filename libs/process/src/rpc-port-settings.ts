import { wholeNumber } from '@teammemory/config/setting-types.ts';
import type { ConnectionBounds } from '@teammemory/rpc/guard-connection.ts';
import type { z } from 'zod';

/**
 * What the RPC port of every program is told about those who connect to it. A
 * proxy that all callers come through may be given all 2,000 connections that
 * there are.
 */
export const rpcPortSettings = {
  RPC_CONNECTIONS_PER_ADDRESS: wholeNumber({ minimum: 1, maximum: 2_000, default: 1_000 }),
};

/** What these settings say, as listeners take it. */
export function connectionBounds(
  settings: z.output<z.ZodObject<typeof rpcPortSettings>>,
): Pick<ConnectionBounds, 'connectionsPerAddressMax'> {
  return { connectionsPerAddressMax: settings.RPC_CONNECTIONS_PER_ADDRESS };
}
