import { type Client, createClient } from '@connectrpc/connect';
import { AnalyticsService as descriptor } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import type { Principal } from '@teammemory/rpc/auth/principal.ts';
import { transportAs } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import type { RpcService } from '@teammemory/rpc/server/rpc-service.ts';

/** A client whose calls come from `principal`. */
export function testClient(
  service: { rpc: RpcService },
  principal: Principal | undefined,
): Client<typeof descriptor> {
  return createClient(descriptor, transportAs(service.rpc, principal));
}
