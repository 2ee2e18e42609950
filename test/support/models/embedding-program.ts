import { eventually } from '@teammemory/testkit/eventually.ts';
import {
  type ModelReply,
  type ModelRequest,
  type ModelScript,
  type ModelServer,
  startModelServer,
} from '@teammemory/testkit/model-server.ts';
import { afterEach, beforeEach } from 'vitest';
import { item } from '../http/api.ts';
import { newTeam, type TeamClients } from '../http/key-holder.ts';
import { exchange } from '../rpc/caller-tokens.ts';
import { rpcCall } from '../rpc/rpc-call.ts';
import { type ServiceOptions, type StartedService, startService } from '../service/running-service.ts';

/** What the scripted model understands: words of a line mean the same. */
const concepts = [/ferry|boat/i, /train|rail/i, /lunch|meal/i];

/** A question that is about the ferry of the crossings, in another word. */
export const crossingQuestion = 'When does the boat cross?';

/** Answers a request for embeddings as a good server does, of seven tokens a text. */
export const embed: ModelScript = (reply, request) => answerVectors(reply, request, () => 7);

/** The same, of a token a byte, which is the most that a text can have. */
export const embedDearly: ModelScript = (reply, request) => answerVectors(reply, request, Buffer.byteLength);

function answerVectors(reply: ModelReply, { body }: ModelRequest, tokensOf: (text: string) => number): void {
  const texts: string[] = body.input;
  const promptTokens = texts.reduce((sum, text) => sum + tokensOf(text), 0);
  const data = texts.map((text, index) => {
    return { index, embedding: concepts.map((concept) => (concept.test(text) ? 1 : 0.01)) };
  });
  reply.status(200, {}, JSON.stringify({ data, usage: { prompt_tokens: promptTokens } }));
}

/** A program with an embedding model, both for one test. */
export interface EmbeddingProgram {
  model: ModelServer;
  /** Every text that was sent to the model so far. */
  sent(): string[];
  /** Starts the program, again where it has ended; the model understands ferries, trains and meals. */
  start(environment?: Record<string, string>, options?: ServiceOptions): Promise<StartedService>;
  /** The same, with a team that has pushed the crossings. */
  startWithCrossings(
    environment?: Record<string, string>,
    options?: ServiceOptions,
  ): Promise<{ running: StartedService; clients: TeamClients }>;
}

/** Gives every test of a file a model, and ends it and what was started after the test. */
export function embeddingProgram(): () => EmbeddingProgram {
  let model: ModelServer;
  let service: StartedService | undefined;
  beforeEach(async () => {
    model = await startModelServer(embed);
  });
  afterEach(async () => {
    await service?.remove();
    service = undefined;
    await model.stop();
  });
  const start: EmbeddingProgram['start'] = async (environment = {}, options = {}) => {
    const embedding = {
      OPENAI_EMBEDDING_MODEL: 'scripted',
      OPENAI_EMBEDDING_BASE_URL: model.baseUrl,
      MODEL_PRICES: '{"scripted":{"input":1},"newer":{"input":1}}',
      // Vectors come after a question, so that a test knows when.
      INDEX_REFRESH_SECONDS: '0',
    };
    service = await startService({
      ...options,
      environment: { ...embedding, ...options.environment, ...environment },
    });
    return service;
  };
  return () => ({
    model,
    sent: () => model.requests.flatMap(({ body }) => body.input),
    start,
    async startWithCrossings(environment, options) {
      const running = await start(environment, options);
      const clients = await newTeam(running);
      await pushCrossings(clients);
      return { running, clients };
    },
  });
}

/** Pushes three items. By words alone the train comes first: it crosses like the ferry, and equals are ordered by name. */
async function pushCrossings({ team }: TeamClients): Promise<void> {
  const { status } = await team.push(
    item('a-rail.md', 'The train crosses at ten.'),
    item('b-ferry.md', 'The ferry crosses at nine.'),
    item('c-lunch.md', 'There is soup for lunch.', { tier: 'external' }),
  );
  if (status !== 200) throw new Error(`POST /items answered ${status}`);
}

/** A token lives longer than a test, and exchanges of a key are limited. */
const tokens = new Map<string, Promise<string>>();

/** Row keys of the passages found, best first. */
export async function found(
  running: StartedService,
  key: string,
  question = crossingQuestion,
): Promise<string[]> {
  const authorization = await tokens.getOrInsertComputed(running.rpcUrl + key, () =>
    exchange(running, key, 'query'),
  );
  const { code, message } = await rpcCall({
    rpcUrl: running.rpcUrl,
    protocol: 'connect',
    method: 'teammemory.query.v1.QueryService/Search',
    message: { question },
    authorization,
  });
  if (code !== 'ok') throw new Error(`the search ended with ${code}`);
  return (message.passages ?? []).map(({ rowKey }: { rowKey: string }) => rowKey);
}

/** Waits until what was pushed with the crossings is found by meaning. */
export function untilFoundByMeaning(running: StartedService, key: string): Promise<string[]> {
  return eventually(
    'the ferry to be found as a boat',
    async () => {
      const rowKeys = await found(running, key);
      return rowKeys[0] === 'b-ferry.md' && rowKeys;
    },
    // After three questions that had to wait too long for the model the service asks it nothing for half a minute.
    { withinMs: 60_000, everyMs: 100 },
  );
}
