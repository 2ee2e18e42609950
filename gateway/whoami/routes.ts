import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RouteDependencies } from '../route-dependencies.ts';
import type { KeyDescription } from './contract.ts';

/** GET /api/v1/whoami: what the check of the key has found already, so no service is called. */
export function describeKey({ itemWrites }: Pick<RouteDependencies, 'itemWrites'>) {
  return async ({ caller }: FastifyRequest, reply: FastifyReply) => {
    const { expiresAtMs, itemWritesPerMinute = itemWrites.limit } = caller;
    return reply.send({
      team: caller.teamSlug,
      member: caller.memberHandle,
      tier: caller.tier,
      access: caller.access,
      key_id: caller.keyId,
      expires_at: expiresAtMs === undefined ? null : new Date(expiresAtMs).toISOString(),
      item_writes_per_minute: itemWritesPerMinute,
    } satisfies KeyDescription);
  };
}
