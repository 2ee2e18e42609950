import { join } from 'node:path';
import type { Transport } from '@connectrpc/connect';
import { type ConcurrencyBounds, createConcurrencyLimit } from '@teammemory/async/concurrency-limit.ts';
import type { Log } from '@teammemory/log/log.ts';
import { QueryService as descriptor } from '@teammemory/proto/query/v1/query_pb.ts';
import { type RpcService, rpcService } from '@teammemory/rpc/server/rpc-service.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { watchCatchUps } from '@teammemory/telemetry/watch-catch-ups.ts';
import { type AnswerTimeLimits, answerTimeLimits } from './domain/answer/answer-deadlines.ts';
import type { AnswerWriter } from './domain/answer/answer-model-call.ts';
import type { EmbeddingSearch } from './domain/embedding/find-passages.ts';
import { type FeedFollower, startFeedFollower } from './domain/index/feed-follower.ts';
import type { FeedList } from './domain/index/feed-list.ts';
import type { IndexHost } from './domain/index/index-host.ts';
import { createMemory, type Memory } from './domain/index/memory.ts';
import type { AnswerMarkup } from './domain/markup/answer-markup.ts';
import type { PassageStore } from './domain/passages/passage-store.ts';
import { createPrices } from './domain/spending/prices.ts';
import { createSpending, type Spending } from './domain/spending/spending.ts';
import { capsFrom } from './domain/spending/spending-caps.ts';
import { createSweep } from './domain/spending/usage-sweep.ts';
import { startIndexThread } from './index-thread/index-thread.ts';
import { countFallbacks } from './metrics/count-fallbacks.ts';
import { meteredAnswerModel } from './metrics/metered-answer-model.ts';
import { meteredUsageStore } from './metrics/metered-usage-store.ts';
import {
  measureIndexes,
  measureRefreshAge,
  watchIndexes,
  watchIndexThread,
} from './metrics/watch-indexes.ts';
import {
  type AnswerModelSettings,
  answerModelSettings,
  embeddingModelSettings,
  type GivenEmbeddingSettings,
  type GivenModelSettings,
} from './model/model-settings.ts';
import { askHandler } from './rpc/ask.ts';
import { createContentFeeds } from './rpc/content-feeds.ts';
import { getIndexHandler } from './rpc/get-index.ts';
import { getUsageHandler } from './rpc/get-usage.ts';
import { searchHandler } from './rpc/search.ts';
import { type IndexFileSettings, prepareIndexDirectory } from './store/index-file-store.ts';
import { openQueryStores, type Storage } from './store/open-stores.ts';

const bytesPerMegabyte = 2 ** 20;

/** What calls to models may cost; amounts are decimal US dollars. */
export interface SpendingSettings {
  /** Setting DAILY_MEMBER_CAP_USD, by default 5. */
  dailyMemberCapUsd: string;
  /** Setting DAILY_TEAM_CAP_USD, by default 50. */
  dailyTeamCapUsd: string;
  /** Setting MODEL_PRICES: JSON, US dollars per million tokens. */
  modelPrices: string | undefined;
}

export interface QueryServiceOptions {
  /** Where passages, cursors and usage are kept. */
  storage: Storage;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Reaches the content service, whose feeds are followed. */
  contentTransport: Transport;
  /** A token for calls to that service, with the scope feed:read. */
  serviceToken: (audience: 'content') => Promise<string>;
  /** Memory for the indexes of all teams, in MiB (setting INDEX_MEMORY_MB, by default 512). */
  indexMemoryMb: number;
  /**
   * Where indexes are kept on disk (setting INDEX_DIR); unset: below the directory of SQLite, and nowhere with MongoDB.
   */
  indexDirectory?: string | undefined;
  /** What they may take there, in MiB (setting INDEX_DISK_MB); 0 or unset: they are not kept. */
  indexDiskMb?: number;
  /** How often all teams' feeds are looked at, in seconds (setting INDEX_REFRESH_SECONDS); 0: when a question comes. */
  indexRefreshSeconds: number;
  /** Answers and searches at once, whoever calls (settings OPEN_ANSWERS and OPEN_ANSWERS_PER_TEAM). */
  openAnswersMax: ConcurrencyBounds;
  spending: SpendingSettings;
  /** What Markdown answers may have (setting ANSWER_MARKUP, by default inert). */
  answerMarkup?: AnswerMarkup;
  /** The model that writes answers; without key and address they are made of quotes. */
  model: GivenModelSettings & { timeLimits?: AnswerTimeLimits };
  /** The model that embeds passages and questions; without one passages are found by their words. */
  embedding?: GivenEmbeddingSettings;
  log: Log;
  metrics: Metrics;
}

export interface QueryService {
  /** The interface with its handlers, to be served or called directly. */
  rpc: RpcService;
  /** Throws where the stores cannot answer. */
  ready(): Promise<void>;
  /** Ends what is under way and closes the stores. To be called once, after the last call. */
  close(): Promise<void>;
}

/**
 * Assembles the query service. Throws what opening its stores throws, and
 * AppError `invalid_request` with one sentence for a cap, price or
 * model setting that is none, and for a model without a price.
 */
export async function createQueryService(options: QueryServiceOptions): Promise<QueryService> {
  const { storage, clock, contentTransport: transport, serviceToken, indexMemoryMb } = options;
  const { dailyMemberCapUsd, dailyTeamCapUsd, modelPrices } = options.spending;
  const caps = capsFrom({ member: dailyMemberCapUsd, team: dailyTeamCapUsd });
  const prices = createPrices(modelPrices);
  const embeddingModel = options.embedding && embeddingModelSettings(options.embedding, options.model);
  if (embeddingModel !== undefined) prices.ofReading(embeddingModel.model);
  // Key and address may be there for embeddings alone.
  const writes = options.model.model !== undefined || embeddingModel === undefined;
  const model = writes ? answerModelSettings(options.model) : undefined;
  if (model !== undefined) prices.ofWriting(model.model);
  const stores = await openQueryStores(storage);
  const feed = createContentFeeds({ transport, serviceToken });
  const host = startIndexThread({
    maxBytes: indexMemoryMb * bytesPerMegabyte,
    embeds: embeddingModel !== undefined,
    files: await indexFiles(options, stores.passages, embeddingModel?.model),
    watch: watchIndexThread(options),
  });
  const memory = createMemory({
    ...{ feed, host, clock },
    passages: stores.passages,
    indexWatch: watchIndexes(options),
    watch: watchCatchUps({ ...options, projection: 'passages' }),
  });
  measureIndexes(options.metrics, host.figures);
  const usage = meteredUsageStore(stores.usage, options);
  const sweep = createSweep(usage);
  const spending = createSpending({ usage, sweep, prices, caps, clock });
  const writer = model && (await createWriter(model, options, spending));
  const embedding =
    embeddingModel &&
    // The client library takes a tenth of a second to load, which a service without a model does not spend.
    (await import('./start-embedding.ts')).startEmbedding(embeddingModel, {
      ...options,
      ...stores,
      host,
      spending,
    });
  const { acquire: acquirePermit } = createConcurrencyLimit(
    options.openAnswersMax,
    'Too many answers are being given at once; ask again.',
  );
  const follower = followFeeds(options, { feeds: feed, memory, host }, embedding);

  return {
    rpc: rpcService(descriptor, {
      ask: askHandler({ memory, embedding, writer, markup: options.answerMarkup ?? 'inert', acquirePermit }),
      search: searchHandler({ memory, embedding, acquirePermit }),
      getIndex: getIndexHandler({ memory }),
      getUsage: getUsageHandler({ usage, sweep, clock }),
    }),
    ready: stores.ready,
    async close() {
      // Work that nobody waits for any more may be under way; the stores must not be closed under it.
      await Promise.all([follower?.close(), memory.close(), embedding?.close()]);
      await host.close();
      await stores.close();
    },
  };
}

/** Where the thread keeps files of indexes; undefined for nowhere. */
async function indexFiles(
  { storage, indexDirectory, indexDiskMb = 0 }: QueryServiceOptions,
  passages: PassageStore,
  embeddingModel = '',
): Promise<IndexFileSettings | undefined> {
  const besideRows = storage.engine === 'sqlite' ? join(storage.directory, 'indexes') : undefined;
  const directory = indexDirectory ?? besideRows;
  if (directory === undefined || indexDiskMb === 0) return undefined;
  await prepareIndexDirectory(directory, passages.cursor);
  return { directory, maxBytes: indexDiskMb * bytesPerMegabyte, embeddingModel };
}

/** Keeps the indexes warm, and has passages embedded, before anybody asks. */
function followFeeds(
  { indexRefreshSeconds, clock, log, metrics }: QueryServiceOptions,
  { feeds, memory, host }: { feeds: FeedList; memory: Memory; host: IndexHost },
  embedding: EmbeddingSearch | undefined,
): FeedFollower | undefined {
  if (indexRefreshSeconds === 0) return undefined;
  const follower = startFeedFollower({
    ...{ feeds, memory, clock },
    wake: (teamId) => embedding?.worker.wake(teamId),
    afterRound: host.save,
    intervalMs: indexRefreshSeconds * 1_000,
    report: (failure) => log.warn({ err: failure }, 'the feeds of teams could not be followed'),
  });
  measureRefreshAge(metrics, () => follower.ageMs() / 1_000);
  return follower;
}

async function createWriter(
  settings: AnswerModelSettings,
  { model: { timeLimits = answerTimeLimits }, log, metrics }: QueryServiceOptions,
  spending: Spending,
): Promise<AnswerWriter> {
  const { createOpenaiAnswerModel } = await import('./model/openai-answer-model.ts');
  return {
    model: meteredAnswerModel(createOpenaiAnswerModel(settings), metrics),
    spending,
    timeLimits,
    report: (failure) => log.warn({ err: failure }, 'a call to the model went wrong'),
    fellBack: countFallbacks(metrics),
  };
}
