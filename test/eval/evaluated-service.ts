import { setTimeout as delay } from 'node:timers/promises';
import { createTeamMemoryClient, type TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { exchange } from '../support/rpc/caller-tokens.ts';
import { rpcCall } from '../support/rpc/rpc-call.ts';
import { startService } from '../support/service/running-service.ts';
import { untilEmbedded } from './until-embedded.ts';

/** Tokens live 60 seconds; a new one is fetched well before. */
const maxTokenAgeMs = 30_000;
/** A key may search 600 times a minute: an evaluation that has used that up goes on when the minute has moved on. */
const limitRetryMs = 1_000;
const limitRetries = 70;
/** The first question after a large push waits for the index. */
const answerTimeoutMs = 120_000;

/** Where a running service is, and who asks. */
export interface ServiceAddress {
  url: string;
  rpcUrl: string;
  key: string;
  team: string;
}

/** A passage as QueryService.Search ranks it. */
export interface FoundPassage {
  rowKey: string;
  score: number;
}

/** A service that is evaluated: its public API, and the search that only RPC has. */
export interface EvaluatedService {
  api: TeamMemoryClient;
  /** Ranked passages, best first, at most `limit`. */
  search(question: string, limit: number): Promise<FoundPassage[]>;
  /** Waits until what was pushed is embedded, where there is a model for that. To be called once. */
  embedded(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a service of its own on free ports in a temporary folder, with limits
 * that do not get in the way. What the environment says about models goes along.
 */
export async function startEvaluatedService(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<EvaluatedService> {
  const models = Object.entries(environment).filter(([name]) => /^(?:OPENAI_|MODEL_PRICES$)/.test(name));
  const service = await startService({
    environment: {
      ...(Object.fromEntries(models) as Record<string, string>),
      ITEM_WRITES_PER_MINUTE: '1000000',
      QUESTIONS_PER_MINUTE: '1000000',
      DAILY_MEMBER_CAP_USD: '1000',
      DAILY_TEAM_CAP_USD: '1000',
    },
  });
  const { slug, teamKey } = await service.createTeam();
  const { url, rpcUrl } = service;
  const connected = connectEvaluatedService({ url, rpcUrl, key: teamKey, team: slug });
  return {
    ...connected,
    async embedded() {
      await connected.search('anything', 1);
      await untilEmbedded(service.metricsUrl);
    },
    close: service.remove,
  };
}

/** Uses a service that runs already; what is pushed stays there. */
export function connectEvaluatedService({ url, rpcUrl, key, team }: ServiceAddress): EvaluatedService {
  let token: { authorization: Promise<string>; madeAt: number } | undefined;
  function authorization(): Promise<string> {
    if (token === undefined || performance.now() - token.madeAt > maxTokenAgeMs) {
      token = { authorization: exchange({ rpcUrl }, key, 'query'), madeAt: performance.now() };
    }
    return token.authorization;
  }
  return {
    api: createTeamMemoryClient({ url, key, team, timeoutMs: answerTimeoutMs }),
    async search(question, limit) {
      const call = async () =>
        rpcCall({
          rpcUrl,
          protocol: 'connect',
          method: 'teammemory.query.v1.QueryService/Search',
          message: { question, limit },
          authorization: await authorization(),
        });
      let { code, message } = await call();
      for (let tries = 0; code === 'resource_exhausted' && tries < limitRetries; tries += 1) {
        await delay(limitRetryMs);
        ({ code, message } = await call());
      }
      if (code !== 'ok') throw new Error(`the search ended with ${code}`);
      return message.passages ?? [];
    },
    embedded: async () => undefined,
    close: async () => undefined,
  };
}
