import type { Transport } from '@connectrpc/connect';
import { createAnalyticsService } from '@teammemory/analytics/service.ts';
import { authOptions } from '@teammemory/auth/config.ts';
import { createAuthService } from '@teammemory/auth/service.ts';
import { contentOptions } from '@teammemory/content/config.ts';
import { createContentService } from '@teammemory/content/service.ts';
import type { Log } from '@teammemory/log/log.ts';
import type { Storage } from '@teammemory/mongo/storage.ts';
import { queryOptions } from '@teammemory/query/config.ts';
import { createQueryService } from '@teammemory/query/service.ts';
import {
  createServiceToken,
  createTokenSigner,
  createTokenVerifier,
  generateSigningKeys,
  type TokenSigner,
} from '@teammemory/rpc/auth/caller-token.ts';
import { derivedSecret, signInPurpose } from '@teammemory/rpc/auth/derived-secret.ts';
import { createDirectTransport } from '@teammemory/rpc/client/direct-transport.ts';
import { guardService, type ServedService } from '@teammemory/rpc/server/guard-service.ts';
import type { RpcService } from '@teammemory/rpc/server/rpc-service.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { Settings } from './config.ts';

/** The services of this process, wired to each other. */
export interface Services {
  /** Each service with what stands before its handlers, for the RPC listener. */
  served: ServedService[];
  /** Direct transports to each service, for the gateway. */
  transports: { analytics: Transport; auth: Transport; content: Transport; query: Transport };
  /** The checks of readiness, by name. */
  ready: Record<string, () => Promise<void>>;
  /** Signs the tokens that these services accept. */
  signer: TokenSigner;
  /** What the gateway seals cookies of a sign-in with. */
  signInSecret: Uint8Array;
  close(): Promise<void>;
}

/**
 * Starts every service in this process. They reach each other through direct
 * transports, with the same interceptors and signed tokens as over the network;
 * the key pair lives as long as the process.
 */
export async function createServices(options: {
  settings: Settings;
  storage: Storage;
  /** Undefined: administrators are operators alone. */
  administratorToken: string | undefined;
  clock: () => number;
  log: Log;
  metrics: Metrics;
}): Promise<Services> {
  const { settings, storage, clock, log, metrics } = options;
  const { privateKey, publicKey } = generateSigningKeys();
  const signer = createTokenSigner({ privateKey, clock });
  const verifier = createTokenVerifier({ publicKeys: [publicKey], clock });
  const guarded = (service: RpcService) => guardService({ ...options, service, verifier });
  const direct = ({ service, interceptors }: ServedService) => createDirectTransport(service, interceptors);

  const auth = await createAuthService({
    storage,
    clock,
    ...authOptions(settings),
    needsOperator: options.administratorToken === undefined,
    log,
    signer,
  });
  const servedAuth = guarded(auth.rpc);
  const askAuth = (name: string) => ({
    transport: direct(servedAuth),
    serviceToken: createServiceToken({ signer, clock, name, scopes: ['auth:read'] }),
  });
  const content = await createContentService({
    storage,
    clock,
    log,
    metrics,
    ...contentOptions(settings),
    auth: askAuth('content'),
  });
  const servedContent = guarded(content.rpc);
  const query = await createQueryService({
    ...queryOptions(settings),
    storage,
    clock,
    contentTransport: direct(servedContent),
    assertContentOpen: content.rpc.assertOpen,
    serviceToken: createServiceToken({ signer, clock, name: 'query', scopes: ['feed:read'] }),
    log,
    metrics,
  });
  const { transport: authTransport, serviceToken } = askAuth('analytics');
  const analytics = await createAnalyticsService({ storage, clock, authTransport, serviceToken });
  const servedAnalytics = guarded(analytics.rpc);
  const servedQuery = guarded(query.rpc);

  return {
    served: [servedAnalytics, servedAuth, servedContent, servedQuery],
    transports: {
      analytics: direct(servedAnalytics),
      auth: direct(servedAuth),
      content: direct(servedContent),
      query: direct(servedQuery),
    },
    ready: { analytics: analytics.ready, auth: auth.ready, content: content.ready, query: query.ready },
    signer,
    signInSecret: derivedSecret(privateKey, signInPurpose),
    async close() {
      for (const service of [query, content, analytics, auth]) await service.close();
    },
  };
}
