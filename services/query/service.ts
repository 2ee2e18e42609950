import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Transport } from '@connectrpc/connect';
import { createPermits, type PermitBounds } from '@teammemory/admission/permits.ts';
import { createRestore } from '@teammemory/backup/restore.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Log } from '@teammemory/log/log.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { backupHandlers } from '@teammemory/rpc/server/backup-handlers.ts';
import { rpcService, type ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { watchCatchUps } from '@teammemory/telemetry/watch-catch-ups.ts';
import {
  type AnswerTimeLimits,
  type AnswerWriter,
  answerTimeLimits,
} from './domain/answer/answer-model-call.ts';
import { type FeedFollower, type FeedList, startFeedFollower } from './domain/index/feed-follower.ts';
import { TeamIndexes } from './domain/index/team-indexes.ts';
import type { AnswerMarkup } from './domain/markup/answer-markup.ts';
import { isUpTo, type RowFeed } from './domain/passages/feeds.ts';
import type { PassageStore } from './domain/passages/passage-store.ts';
import { createPassageSearch, type EmbeddingSearch } from './domain/search/passage-search.ts';
import { createPrices } from './domain/spending/prices.ts';
import { capsFrom, createSpending, createSweep, type Spending } from './domain/spending/spending.ts';
import { countFallbacks, meteredAnswerModel } from './metrics/metered-models.ts';
import { meteredUsageStore } from './metrics/metered-usage-store.ts';
import { measureIndexes, measureRefreshAge, watchIndexes, watchIndexPool } from './metrics/watch-indexes.ts';
import {
  type AnswerModelSettings,
  answerModelSettings,
  embeddingModelSettings,
  type GivenEmbeddingSettings,
  type GivenModelSettings,
} from './model/model-settings.ts';
import { getIndexHandler, getSpendingHandler, getUsageHandler } from './rpc/administration.ts';
import { createContentFeeds } from './rpc/content-feeds.ts';
import {
  askHandler,
  findItemsHandler,
  getItemCoverageHandler,
  listItemCoverageHandler,
  listNotesToCheckHandler,
  searchHandler,
} from './rpc/questions.ts';
import {
  eraseMemberRatingsHandler,
  listRatingsHandler,
  rateAnswerHandler,
  removeRatingsHandler,
} from './rpc/ratings.ts';
import { prepareIndexDirectory } from './search-index/index-files.ts';
import { startIndexPool } from './search-index/index-pool.ts';
import { openQueryStores, type Storage } from './store/open-stores.ts';

const bytesPerMegabyte = 2 ** 20;

/** Caps on the cost of model calls; amounts are decimal US dollars. */
export interface SpendingSettings {
  /** Setting DAILY_MEMBER_CAP_USD, by default 5. */
  dailyMemberCapUsd: string;
  /** Setting DAILY_TEAM_CAP_USD, by default 50. */
  dailyTeamCapUsd: string;
  /** Setting MODEL_PRICES: JSON, US dollars per million tokens. */
  modelPrices: string | undefined;
}

export interface QueryServiceOptions {
  /** Where passages, cursors, usage and ratings are kept. */
  storage: Storage;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Reaches the content service, whose feeds are followed. */
  contentTransport: Transport;
  /**
   * Throws while content answers nothing until its next start, because a restore of it has not finished; unset: it
   * answers.
   */
  assertContentOpen?: (() => void) | undefined;
  /** A token for calls to that service, with the scope feed:read. */
  serviceToken: (audience: 'content') => Promise<string>;
  /**
   * Directory of index files (setting INDEX_DIR). Unset: below the directory of SQLite; with MongoDB, a temporary one,
   * which is removed at the end.
   */
  indexDirectory?: string | undefined;
  /** Size of all index files in MiB (setting INDEX_DISK_MB). */
  indexDiskMb: number;
  /** How often all teams' feeds are looked at, in seconds (setting INDEX_REFRESH_SECONDS); 0: when a question comes. */
  indexRefreshSeconds: number;
  /** Limits on concurrent answers and searches (setting OPEN_ANSWERS). */
  maxOpenAnswers: PermitBounds;
  spending: SpendingSettings;
  /** Markdown that answers may contain (setting ANSWER_MARKUP, by default inert). */
  answerMarkup?: AnswerMarkup;
  /** The model that writes answers; without key and address they are made of passages. */
  model: GivenModelSettings & { timeLimits?: AnswerTimeLimits };
  /** The model that embeds passages and questions; without one passages are found by their words. */
  embedding?: GivenEmbeddingSettings;
  log: Log;
  metrics: Metrics;
}

/**
 * Assembles the query service. Throws what opening its stores throws, and
 * AppError `invalid_request` with one sentence for a cap, price or
 * model setting that is none, and for a model without a price.
 */
export async function createQueryService(options: QueryServiceOptions): Promise<ServiceInstance> {
  const { storage, clock, contentTransport: transport, serviceToken } = options;
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
  const restore = await createRestore(stores.backup);
  const feed = createContentFeeds({ transport, serviceToken });
  const host = startIndexPool({
    ...(await indexDirectory(options, { passages: stores.passages, feed })),
    maxBytes: options.indexDiskMb * bytesPerMegabyte,
    embeds: embeddingModel !== undefined,
    embeddingModel: embeddingModel?.model ?? '',
    watch: watchIndexPool(options),
  });
  const indexes = new TeamIndexes({
    feed,
    host,
    passages: stores.passages,
    erase: stores.erase,
    indexWatch: watchIndexes(options),
    watch: watchCatchUps({ ...options, projection: 'passages' }),
  });
  if (canVerify(options)) await indexes.verify().catch(toldIfUnavailable(options));
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
  const { acquire: acquirePermit } = createPermits(
    options.maxOpenAnswers,
    'Too many answers are being given at once; ask again.',
  );
  const findPassages = createPassageSearch({ indexes, embedding, clock });
  const follower = followFeeds(options, { feeds: feed, indexes }, embedding);

  const dependencies = {
    clock,
    indexes,
    passages: stores.passages,
    findPassages,
    acquirePermit,
    writer,
    markup: options.answerMarkup ?? 'inert',
    usage,
    sweep,
    caps,
    ratings: stores.ratings,
  };
  return {
    rpc: rpcService(
      QueryService,
      {
        ...backupHandlers(stores.backup, restore),
        ask: askHandler(dependencies),
        search: searchHandler(dependencies),
        getItemCoverage: getItemCoverageHandler(dependencies),
        listItemCoverage: listItemCoverageHandler(dependencies),
        findItems: findItemsHandler(dependencies),
        listNotesToCheck: listNotesToCheckHandler(dependencies),
        getIndex: getIndexHandler(dependencies),
        getUsage: getUsageHandler(dependencies),
        getSpending: getSpendingHandler(dependencies),
        rateAnswer: rateAnswerHandler(dependencies),
        listRatings: listRatingsHandler(dependencies),
        removeRatings: removeRatingsHandler(dependencies),
        eraseMemberRatings: eraseMemberRatingsHandler(dependencies),
      },
      { assertOpen: restore.assertOpen },
    ),
    async ready() {
      await stores.ready();
      await restore.ready();
    },
    async close() {
      // Work that nobody waits for any more may be under way; the stores must not be closed under it.
      await Promise.all([follower?.close(), indexes.close(), embedding?.close()]);
      await host.close();
      await stores.close();
    },
  };
}

/** Prepares the directory of index files. */
async function indexDirectory(
  options: QueryServiceOptions,
  { passages, feed }: { passages: PassageStore; feed: RowFeed },
): Promise<{ directory: string; isTemporary: boolean }> {
  const { storage, indexDirectory: given } = options;
  const besideRows = storage.engine === 'sqlite' ? join(storage.directory, 'indexes') : undefined;
  const known = given ?? besideRows;
  const directory = known ?? mkdtempSync(join(tmpdir(), 'team-memory-indexes-'));
  await prepareIndexDirectory(directory, async (teamId, positions) => {
    if (positions.items > (await passages.cursor(teamId))) return true;
    return canVerify(options) && !isUpTo(await feed.heads(teamId), positions);
  });
  return { directory, isTemporary: known === undefined };
}

/**
 * Whether what is stored can be compared with content at the start. Files of SQLite can be exchanged one by one; the
 * collections of MongoDB come back together, and content may start later than this. Content that is being restored
 * answers nothing until the next start, and then it is compared.
 */
function canVerify({ storage, assertContentOpen }: QueryServiceOptions): boolean {
  if (storage.engine !== 'sqlite') return false;
  try {
    assertContentOpen?.();
    return true;
  } catch {
    return false;
  }
}

/** Content may be unable to write, as on a full disk: then each team is compared when it is next followed. */
const toldIfUnavailable =
  ({ log }: QueryServiceOptions) =>
  (error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
    log.warn({ err: error }, 'search data could not be compared with its content at the start');
  };

/** Keeps the indexes warm, and has passages embedded, before anybody asks. */
function followFeeds(
  { indexRefreshSeconds, clock, log, metrics }: QueryServiceOptions,
  { feeds, indexes }: { feeds: FeedList; indexes: TeamIndexes },
  embedding: EmbeddingSearch | undefined,
): FeedFollower | undefined {
  if (indexRefreshSeconds === 0) return undefined;
  const follower = startFeedFollower({
    feeds,
    indexes,
    clock,
    wake: (teamId) => embedding?.worker.wake(teamId),
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
