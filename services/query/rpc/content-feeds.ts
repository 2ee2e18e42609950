import { createClient, type Transport } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import { ContentService, FeedList as FeedListProto } from '@teammemory/proto/content/v1/content_pb.ts';
import { requestIdHeaders } from '@teammemory/rpc/auth/call-origin.ts';
import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';
import type { FeedList } from '../domain/index/feed-follower.ts';
import type { ItemFeed, RowFeed } from '../domain/passages/feeds.ts';
import { feedDecisionFromProto, feedItemFromProto, feedTaskFromProto } from './content-feeds-proto.ts';

/** A page of 50 large items takes well under a second; longer than this content is as good as gone. */
const callTimeoutMs = 10_000;
/** Tasks are some hundred bytes each; of decisions few are read at once, for each may have 1 MiB. */
const tasksPerPage = 1_000;
const decisionsPerPage = 10;

/** Reads feeds from the content service, as the service that `serviceToken` names. */
export function createContentFeeds(options: {
  transport: Transport;
  /** A token for calls to that service, with the scope feed:read. */
  serviceToken: (audience: 'content') => Promise<string>;
}): ItemFeed & RowFeed & FeedList {
  const content = createClient(ContentService, options.transport);
  const callOptions = async () => ({
    headers: { authorization: `Bearer ${await options.serviceToken('content')}`, ...requestIdHeaders() },
    timeoutMs: callTimeoutMs,
  });

  async function read(
    teamId: string,
    afterSeq: number,
    limit: number,
    list: FeedListProto = FeedListProto.ITEMS,
  ) {
    const request = { teamId, afterSeq: BigInt(afterSeq), limit, list };
    const { entries, headSeq } = await content.readFeed(request, await callOptions()).catch(throwAsOurs);
    return { entries, headSeq: Number(headSeq) };
  }

  return {
    async read(teamId, afterSeq, limit) {
      const { entries, headSeq } = await read(teamId, afterSeq, limit);
      return { items: entries.map(feedItemFromProto), headSeq };
    },
    async heads(teamId) {
      const heads = await content.readHeads({ teamId }, await callOptions()).catch(throwAsOurs);
      return {
        dataId: heads.dataId,
        items: Number(heads.itemsSeq),
        tasks: Number(heads.tasksSeq),
        decisions: Number(heads.decisionsSeq),
        projects: Number(heads.projectsVersion),
        externalVersion: heads.externalVersion,
      };
    },
    async tasks(teamId, afterSeq) {
      const { entries, headSeq } = await read(teamId, afterSeq, tasksPerPage, FeedListProto.TASKS);
      return { rows: entries.map(feedTaskFromProto), headSeq };
    },
    async decisions(teamId, afterSeq) {
      const { entries, headSeq } = await read(teamId, afterSeq, decisionsPerPage, FeedListProto.DECISIONS);
      return { rows: entries.map(feedDecisionFromProto), headSeq };
    },
    async *projects(teamId) {
      let pageToken = '';
      do {
        const page = await content
          .readProjects({ teamId, pageToken }, await callOptions())
          .catch(throwAsOurs);
        yield page.projects.map(({ slug, name }) => ({ slug, name }));
        pageToken = page.nextPageToken;
      } while (pageToken !== '');
    },
    async page(token, signal) {
      const request = { pageToken: token };
      const { feeds, nextPageToken } = await content
        .listFeeds(request, { ...(await callOptions()), signal })
        .catch(throwAsOurs);
      return {
        feeds: feeds.map(({ teamId, seq }) => ({ teamId, seq: Number(seq) })),
        nextToken: nextPageToken,
      };
    },
  };
}

/** A refusal of our own token or request must not look to the caller as if theirs were refused. */
function throwAsOurs(thrown: unknown): never {
  const error = appErrorFromRpc(thrown);
  if (error.code === 'unavailable') throw error;
  throw new AppError('internal', 'Something went wrong on our side.', { cause: error });
}
