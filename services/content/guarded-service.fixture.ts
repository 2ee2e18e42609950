import { type Client, createClient } from '@connectrpc/connect';
import { silentLog } from '@teammemory/log/log.ts';
import {
  ContentService,
  type ListFeedsResponse,
  type PushItemsResponse,
} from '@teammemory/proto/content/v1/content_pb.ts';
import {
  createTokenSigner,
  createTokenVerifier,
  generateSigningKeys,
} from '@teammemory/rpc/auth/caller-token.ts';
import type { Caller, Principal } from '@teammemory/rpc/auth/principal.ts';
import { createDirectTransport } from '@teammemory/rpc/client/direct-transport.ts';
import { guardService } from '@teammemory/rpc/server/guard-service.ts';
import type { ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import type { EngineStorage } from '@teammemory/testkit/describe-each-engine.ts';
import { itemDraft } from './domain/items/item.fixture.ts';
import { plentyOfRoom } from './quotas.fixture.ts';
import { createContentService } from './service.ts';

const { privateKey, publicKey } = generateSigningKeys();
const signer = createTokenSigner({ privateKey, clock: Date.now });
export const blue = '01890000-0000-7000-8000-000000000001';
export const green = '01890000-0000-7000-8000-000000000002';

export type Headers = { authorization: string };

/** The headers of whoever this is, for calls of one service. */
export async function tokenOf(principal: Principal, audience = 'content'): Promise<Headers> {
  return { authorization: `Bearer ${await signer.sign(principal, audience)}` };
}

/** The headers of a member who may write. */
export function member(teamId: string, tier: 'team' | 'external', memberHandle = 'ada'): Promise<Headers> {
  const caller: Caller = {
    teamId,
    teamSlug: 'slug',
    memberId: 'member-id',
    memberHandle,
    tier,
    access: 'write',
    keyId: 'k'.repeat(16),
  };
  return tokenOf({ kind: 'member', caller });
}

/** The headers of a service with these scopes. */
export const service = (scopes: string[]) => tokenOf({ kind: 'service', name: 'query', scopes });
export const administrator: Headers = { authorization: 'Bearer administrator' };

/** An item as it is pushed. */
export function item(changed: Parameters<typeof itemDraft>[0] = {}) {
  const { frontmatterJson, ...fields } = itemDraft(changed);
  return { ...fields, frontmatterJson: Buffer.from(frontmatterJson) };
}

/** The service with its guard, and a client of it. */
export interface GuardedContent {
  content: ServiceInstance;
  client: Client<typeof ContentService>;
  push(headers: Headers, ...items: ReturnType<typeof item>[]): Promise<PushItemsResponse>;
  listFeeds(headers?: Headers, page?: { pageSize?: number; pageToken?: string }): Promise<ListFeedsResponse>;
}

/** Whoever starts it closes it. */
export async function startContent(storage: EngineStorage): Promise<GuardedContent> {
  const watched = { log: silentLog(), metrics: createMetrics() };
  const settings = { clock: () => 1_000, itemHistory: 20, quotas: plentyOfRoom };
  const content = await createContentService({ storage, ...settings, ...watched });
  const { interceptors } = guardService({
    service: content.rpc,
    verifier: createTokenVerifier({ publicKeys: [publicKey], clock: Date.now }),
    administratorToken: 'administrator',
    clock: Date.now,
    ...watched,
  });
  const client = createClient(ContentService, createDirectTransport(content.rpc, interceptors));
  return {
    content,
    client,
    push: (headers, ...items) => client.pushItems({ items }, { headers }),
    listFeeds: (headers, page = {}) => client.listFeeds(page, { headers }),
  };
}
