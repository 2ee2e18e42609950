import { setTimeout as delay } from 'node:timers/promises';
import { snapshot } from '../analytics/valid-bodies.ts';
import { followItems } from '../feed/feed-follower.ts';
import { type Answer, api, item } from '../http/api.ts';
import type { RunningService, Team } from '../service/running-service.ts';

/** Between two requests of one client, unless told: the load shares the machine with what it loads. */
const usualPauseMs = 40;

/** What clients do, by the service that it is mostly about. */
export const actions = ['push', 'pull', 'ask', 'report'] as const;
export type Action = (typeof actions)[number];

/** One request and what became of it. */
export interface SentRequest {
  action: Action;
  /** Base address of the gateway that it was sent to. */
  gateway: string;
  /** 0 where there was no answer, or not a whole one. */
  status: number;
  /** The header, where there was one. */
  retryAfter: string | null;
  durationMs: number;
  /** Why there was no answer, or what it said. */
  detail?: string;
}

/** The detail of an answer that began and ended with an error instead of its end. */
export const brokenOff = 'the answer was broken off';

/** Clients that do the same thing over and over. */
export interface SteadyLoad {
  /** All that was answered or failed so far, oldest first. */
  sent: readonly SentRequest[];
  /** Resolves when everybody's request under way has ended; then nobody sends any more. */
  stop(): Promise<void>;
  /** Row keys whose push was acknowledged and that the service does not have. */
  lostRows(): Promise<string[]>;
}

/**
 * Starts one client for each action at each of `clients`, which says where the
 * next request goes; a request that was not sent because its gateway takes no
 * connections goes to whom the client names next.
 */
export function startLoad(
  service: RunningService,
  team: Team,
  clients: readonly (() => string)[],
  { pauseMs = usualPauseMs }: { pauseMs?: number } = {},
): SteadyLoad {
  const sent: SentRequest[] = [];
  const acknowledged: string[] = [];
  let stopped = false;

  async function run(action: Action, client: number, nextGateway: () => string): Promise<void> {
    for (let number = 0; !stopped; number += 1) {
      const rowKey = `load/${client}/${number}.md`;
      const request = await send(action, rowKey, nextGateway);
      if (action === 'push' && request.status === 200) acknowledged.push(rowKey);
      sent.push(request);
      await delay(pauseMs);
    }
  }

  async function send(action: Action, rowKey: string, nextGateway: () => string): Promise<SentRequest> {
    const [path, body] = requestFor(action, rowKey);
    const startedMs = performance.now();
    let gateway = nextGateway();
    const attempt = () => api({ url: gateway }, team, team.teamKey, path, body === undefined ? {} : { body });
    const answered = await attempt()
      .catch((error: Error) => {
        if (!wasRefused(error)) throw error;
        gateway = nextGateway();
        return attempt();
      })
      .then(outcomeOf, (error: Error) => ({
        status: 0,
        retryAfter: null,
        detail: `${error.message}: ${error.cause}`,
      }));
    return { action, gateway, ...answered, durationMs: performance.now() - startedMs };
  }

  const running = clients.flatMap((next, client) => actions.map((action) => run(action, client, next)));
  return {
    sent,
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
    async lostRows() {
      const reader = { service, team, key: team.teamKey, by: 'cursor', includeDeleted: false } as const;
      const rows = await followItems({ ...reader, limit: 200, pauseMs: 0 }, () => true);
      const stored = new Set(rows.map(({ row_key }) => row_key));
      return acknowledged.filter((rowKey) => !stored.has(rowKey));
    },
  };
}

function outcomeOf({ status, headers, body }: Answer) {
  // Streams of events are text; everything else is read.
  if (typeof body === 'string' && !body.includes('event: done')) {
    return { status: 0, retryAfter: null, detail: brokenOff };
  }
  return { status, retryAfter: headers.get('retry-after'), detail: body.detail };
}

function requestFor(action: Action, rowKey: string): [string, object | undefined] {
  const requests: Record<Action, [string, object | undefined]> = {
    push: ['/api/v1/items', { items: [item(rowKey)] }],
    pull: ['/api/v1/items?limit=5', undefined],
    ask: ['/api/v1/query', { q: 'Which rows are under load?' }],
    report: ['/api/v1/metrics', snapshot()],
  };
  return requests[action];
}

/** Whether a request was never sent, because nobody took the connection. */
function wasRefused({ cause }: Error): boolean {
  return (cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED';
}
