import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { PermitBounds } from '@teammemory/admission/permits.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Log } from '@teammemory/log/log.ts';
import { createServiceToken, type TokenSigner } from '@teammemory/rpc/auth/caller-token.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { apiRoutes } from './api-routes.ts';
import { createBodyBudget, createRefusedRequests, ofStrangers } from './bodies/body-limits.ts';
import { createCallers } from './caller.ts';
import { createClientAddressOf } from './client-address.ts';
import { createAuthClient, createClients, openTeamChanges, type Transports } from './clients.ts';
import { allowOrigins } from './cors.ts';
import { createCompressor } from './encoding/compress-answers.ts';
import { boundOpenAnswers } from './event-stream.ts';
import { boundChangeStreams, ChangeWatch } from './events/change-watch.ts';
import { createPageAnswers } from './feed/page-answers.ts';
import { createPageCache } from './feed/page-cache.ts';
import { createHttpServer } from './http-server.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { createApps } from './oauth/apps.ts';
import { createClientDocuments } from './oauth/client-documents.ts';
import { createRegisteredApps } from './oauth/registered-apps.ts';
import { oauthRoutes } from './oauth/routes.ts';
import { OpenConnections } from './open-connections.ts';
import { dashboardFiles } from './public/dashboard.ts';
import { publicRoutes } from './public/routes.ts';
import { createRateLimiters } from './rate-limit/create-rate-limiters.ts';
import { createRefusals } from './refusals/refusals.ts';
import { rpcRoutes } from './rpc/routes.ts';
import type { OidcOptions } from './session/oidc-client.ts';
import { sessionRoutes, signInsPerMinute } from './session/routes.ts';
import { createSessions } from './session/sessions.ts';

/** How long streams may continue after closing began; then they send an error and end. */
const streamGraceMs = 5_000;
/** How long any request may continue; then its connection is closed. */
const drainTimeoutMs = 10_000;

/** The settings and dependencies of a gateway. */
export interface GatewayOptions {
  transports: Transports;
  /** Signs the caller tokens that services verify. */
  signer: TokenSigner;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Milliseconds that never go back, for limits and caches. */
  monotonicClock: () => number;
  maxBodyBytes: number;
  /** Origins whose pages may call the API from a browser. */
  corsOrigins: readonly string[];
  /** Names of this service that requests to /mcp may have as Host. */
  mcpHosts: readonly string[];
  /** Ranges of private addresses at which documents of apps may be. */
  oauthAllowedAddresses: readonly string[];
  /** Whether apps without a document may register themselves. */
  canAppsRegister: boolean;
  /** Addresses and ranges of reverse proxies, which are believed about the address of a client. */
  trustedProxies: readonly string[];
  /** Where browsers reach this service; undefined: at whatever address they use. */
  publicUrl: string | undefined;
  /** How people sign in through the organisation's identity provider; undefined: they do not. */
  oidc: OidcOptions | undefined;
  /** What the cookies of that are sealed with, 32 bytes; all gateways share it. */
  signInSecret: Uint8Array;
  itemWritesPerMinute: number;
  questionsPerMinute: number;
  searchesPerMinute: number;
  scansPerMinute: number;
  snapshotsPerMinute: number;
  mcpMessagesPerMinute: number;
  /** Limit on concurrently streamed answers. */
  maxOpenAnswers: PermitBounds;
  /** The Redis that counts limits for all gateways; without it this gateway counts by itself. */
  redisUrl: string | undefined;
  /**
   * Time between reporting not ready and closing the port, in which load
   * balancers notice; 0 without a load balancer.
   */
  shutdownDelayMs: number;
  /** The `ready()` of every part that the gateway needs, by name. */
  readiness: Readonly<Record<string, () => Promise<void>>>;
  /** What `/readyz` calls degraded although all parts respond; unset: nothing. */
  limitations?: () => readonly string[];
  /** Throws while this gateway itself cannot work, whatever the parts say. */
  ownReadiness?: () => Promise<void>;
  log: Log;
  metrics: Metrics;
}

/** Sign-in links of a key in 60 seconds: a person needs one at a time, and auth keeps no more than 20 unused ones. */
const signInLinksPerMinute = 10;

/** Memory for cached pages of items: about 600 pages of 50 items of 2 KB. A page beyond that costs a call of content. */
const maxPageCacheBytes = 64 * 2 ** 20;

/** The gateway of a process. */
export interface Gateway {
  /** Starts to listen and returns the port; throws the listener's error unchanged. */
  listen(address: { host: string; port: number }): Promise<number>;
  /** Reports not ready, finishes the requests in progress and closes. */
  close(): Promise<void>;
}

/** Assembles the gateway: authentication, limits and a route for each endpoint. */
export function createGateway(options: GatewayOptions): Gateway {
  const { transports } = options;
  const callers = createCallers({ ...options, auth: createAuthClient(transports.auth) });
  const refusals = createRefusals({ ...options, auth: createAuthClient(transports.auth) });
  const limiters = createRateLimiters({
    ...options,
    limits: {
      itemWrites: options.itemWritesPerMinute,
      questions: options.questionsPerMinute,
      searches: options.searchesPerMinute,
      scans: options.scansPerMinute,
      snapshots: options.snapshotsPerMinute,
      signInLinks: signInLinksPerMinute,
      signIns: signInsPerMinute,
      mcpMessages: options.mcpMessagesPerMinute,
    },
    clock: options.monotonicClock,
  });
  const [closing, overdue] = [new AbortController(), new AbortController()];
  const clientAddressOf = createClientAddressOf(options.trustedProxies);
  const connections = new OpenConnections({ ...options, clientAddressOf });
  const clients = createClients(transports, callers);
  const compressor = createCompressor(options);
  const dependencies = {
    log: options.log,
    closing: closing.signal,
    overdue: overdue.signal,
    changes: new ChangeWatch({
      clients,
      openTeamChanges: openTeamChanges(
        clients,
        createServiceToken({ ...options, name: 'gateway', scopes: [] }),
      ),
      log: options.log,
    }),
    changeStreams: boundChangeStreams(connections.max, options.metrics),
    openAnswer: boundOpenAnswers(options.maxOpenAnswers, options.metrics),
    clients,
    pages: createPageCache({
      maxBytes: maxPageCacheBytes,
      clock: options.monotonicClock,
      metrics: options.metrics,
    }),
    answers: createPageAnswers(options),
    compressor,
    itemWrites: limiters.itemWrites,
    refusals,
    questions: limiters.questions,
    searches: limiters.searches,
    scans: limiters.scans,
    snapshots: limiters.snapshots,
    signInLinks: limiters.signInLinks,
  };
  let isDraining = false;
  const isLive = () => !isDraining;
  const gatewayReady = async () => {
    if (isDraining) throw new AppError('unavailable', 'The gateway is shutting down.');
    await options.ownReadiness?.();
  };
  const app = createHttpServer({ ...options, callers, connections, clientAddressOf, refusals });
  allowOrigins(app, options.corsOrigins);
  app.register(
    publicRoutes({
      compressor,
      isLive,
      limitations: options.limitations,
      readiness: { ...options.readiness, gateway: gatewayReady },
    }),
  );
  const bodyLimits = {
    maxBodyBytes: options.maxBodyBytes,
    budget: createBodyBudget(options),
    refused: createRefusedRequests({ clock: options.monotonicClock, metrics: options.metrics }),
  };
  app.register(
    apiRoutes({
      ...dependencies,
      ...bodyLimits,
      callers,
      connections,
      hasCors: options.corsOrigins.length > 0,
    }),
    { prefix: '/api/v1' },
  );

  app.register(
    mcpRoutes({
      ...dependencies,
      ...bodyLimits,
      callers,
      connections,
      mcpMessages: limiters.mcpMessages,
      clock: options.clock,
      metrics: options.metrics,
      hosts: options.mcpHosts,
      origins: options.corsOrigins,
    }),
  );

  app.register(dashboardFiles);
  const sessions = createSessions({ ...options, auth: createAuthClient(transports.auth), callers });
  const isHttps = options.publicUrl?.startsWith('https:') ?? false;
  const { oidc } = options;
  const budget = ofStrangers(bodyLimits.budget);
  const { signIns } = limiters;
  app.register(sessionRoutes({ sessions, callers, signIns, budget, isHttps, hasOidc: oidc !== undefined }));
  if (oidc !== undefined) {
    app.register(async (scope) => {
      // Imported here because its library is not needed without a provider.
      const { oidcRoutes } = await import('./session/oidc-routes.ts');
      await oidcRoutes({ ...options, secret: options.signInSecret, sessions, signIns, oidc, isHttps })(scope);
    });
  }
  const auth = createAuthClient(transports.auth);
  app.register(
    oauthRoutes({
      documents: createClientDocuments({ ...options, allowedAddresses: options.oauthAllowedAddresses }),
      registered: options.canAppsRegister ? createRegisteredApps({ auth, callers }) : undefined,
      apps: createApps({ ...options, auth, callers }),
      callers,
      signIns,
      budget,
      hosts: options.mcpHosts,
      origins: options.corsOrigins,
    }),
  );
  const rpcDependencies = { transports, callers, refusals, connections, compressor, overdue: overdue.signal };
  app.register(
    rpcRoutes({ ...rpcDependencies, budget: bodyLimits.budget, monotonicClock: options.monotonicClock }),
    { prefix: '/rpc' },
  );

  return {
    async listen(address) {
      await app.listen(address);
      return (app.server.address() as AddressInfo).port;
    },
    async close() {
      isDraining = true;
      await delay(options.shutdownDelayMs);
      closing.abort();
      const endStreams = setTimeout(() => overdue.abort(), streamGraceMs);
      const closeAll = setTimeout(() => app.server.closeAllConnections(), drainTimeoutMs);
      await app.close();
      clearTimeout(endStreams);
      clearTimeout(closeAll);
      await refusals.close();
      await limiters.close();
    },
  };
}
