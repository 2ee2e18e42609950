import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConcurrencyBounds } from '@teammemory/async/concurrency-limit.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Log } from '@teammemory/log/log.ts';
import type { TokenSigner } from '@teammemory/rpc/auth/caller-token.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { apiRoutes } from './api-routes.ts';
import { createBodyBudget } from './bodies/body-budget.ts';
import { createRefusedRequests } from './bodies/refused-requests.ts';
import { createCallers } from './caller.ts';
import { createAuthClient, createClients, type Transports } from './clients.ts';
import { boundOpenAnswers } from './event-stream.ts';
import { createPageAnswers } from './feed/page-answers.ts';
import { createPageCache } from './feed/page-cache.ts';
import { createHttpServer } from './http-server.ts';
import { createOpenConnections } from './open-connections.ts';
import { publicRoutes } from './public/routes.ts';
import { createRateLimiters } from './rate-limit/create-rate-limiters.ts';

/** How long streams may go on after closing began; then their readers are told, and they end. */
const streamGraceMs = 5_000;
/** How long anything may go on; then its connection is cut. */
const drainTimeoutMs = 10_000;

/** What the gateway is made from. */
export interface GatewayOptions {
  transports: Transports;
  /** Signs the caller tokens that services verify. */
  signer: TokenSigner;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Milliseconds that never go back, for limits and for what is kept a while. */
  monotonicClock: () => number;
  maxBodyBytes: number;
  /** Memory for pages of items that may be asked for again, in bytes. */
  pageCacheBytes: number;
  itemWritesPerMinute: number;
  questionsPerMinute: number;
  scansPerMinute: number;
  snapshotsPerMinute: number;
  /** Answers that are given at once. */
  openAnswersMax: ConcurrencyBounds;
  /** Where limits are counted over all gateways; without it this gateway counts alone. */
  redisUrl: string | undefined;
  /**
   * Milliseconds between not being ready any more and taking no more
   * connections, in which load balancers notice; 0 where there is none.
   */
  shutdownDelayMs: number;
  /** What must answer before requests make sense, by name. */
  dependencies: Readonly<Record<string, () => Promise<void>>>;
  log: Log;
  metrics: Metrics;
}

/** The gateway of a process. */
export interface Gateway {
  /** Starts to listen and answers the port; throws the listener's error as it is. */
  listen(address: { host: string; port: number }): Promise<number>;
  /** Not ready any more; then finishes what is under way and closes. */
  close(): Promise<void>;
}

/** Assembles the HTTP front: authentication, limits and a route for each endpoint. */
export function createGateway(options: GatewayOptions): Gateway {
  const { transports } = options;
  const callers = createCallers({ ...options, auth: createAuthClient(transports.auth) });
  const limiters = createRateLimiters({
    ...options,
    limits: {
      itemWrites: options.itemWritesPerMinute,
      questions: options.questionsPerMinute,
      scans: options.scansPerMinute,
      snapshots: options.snapshotsPerMinute,
    },
    clock: options.monotonicClock,
  });
  const overdue = new AbortController();
  const context = {
    log: options.log,
    overdue: overdue.signal,
    openAnswer: boundOpenAnswers(options.openAnswersMax, options.metrics),
    clients: createClients(transports, callers),
    pages: createPageCache({
      maxBytes: options.pageCacheBytes,
      clock: options.monotonicClock,
      metrics: options.metrics,
    }),
    answers: createPageAnswers(options),
    itemWrites: limiters.itemWrites,
    questions: limiters.questions,
    scans: limiters.scans,
    snapshots: limiters.snapshots,
  };
  let closing = false;
  const draining = async () => {
    if (closing) throw new AppError('unavailable', 'The gateway is shutting down.');
  };
  const connections = createOpenConnections(options);
  const app = createHttpServer({ ...options, callers, connections });
  app.register(publicRoutes({ dependencies: { ...options.dependencies, gateway: draining } }));
  const bodyLimits = {
    maxBodyBytes: options.maxBodyBytes,
    budget: createBodyBudget(options),
    refused: createRefusedRequests({ clock: options.monotonicClock, metrics: options.metrics }),
  };
  app.register(apiRoutes({ ...context, ...bodyLimits, callers, connections }), { prefix: '/api/v1' });

  return {
    async listen(address) {
      await app.listen(address);
      return (app.server.address() as AddressInfo).port;
    },
    async close() {
      closing = true;
      await delay(options.shutdownDelayMs);
      const tell = setTimeout(() => overdue.abort(), streamGraceMs);
      const cut = setTimeout(() => app.server.closeAllConnections(), drainTimeoutMs);
      await app.close();
      clearTimeout(tell);
      clearTimeout(cut);
      await limiters.close();
    },
  };
}
