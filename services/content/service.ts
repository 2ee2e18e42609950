import type { Log } from '@teammemory/log/log.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { type RpcService, rpcService } from '@teammemory/rpc/server/rpc-service.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { watchCatchUps } from '@teammemory/telemetry/watch-catch-ups.ts';
import { createCursors } from './domain/cursor.ts';
import { itemQuota } from './domain/item-owner.ts';
import { createItemWriter } from './domain/item-writer.ts';
import { createProjection } from './domain/projection.ts';
import type { Share } from './domain/quota.ts';
import { type SkipReason, skipReasons } from './domain/skipped-text-store.ts';
import { createTaskWorker } from './domain/task-worker.ts';
import { createDecisionHandler } from './rpc/create-decision.ts';
import { createProjectHandler } from './rpc/create-project.ts';
import { deleteItemHandler } from './rpc/delete-item.ts';
import { editDecisionHandler } from './rpc/edit-decision.ts';
import { getDecisionHandler } from './rpc/get-decision.ts';
import { getItemsVersionHandler } from './rpc/get-items-version.ts';
import { listDecisionVersionsHandler } from './rpc/list-decision-versions.ts';
import { listDecisionsHandler } from './rpc/list-decisions.ts';
import { listFeedsHandler } from './rpc/list-feeds.ts';
import { listItemVersionsHandler } from './rpc/list-item-versions.ts';
import { listItemsHandler } from './rpc/list-items.ts';
import { listProjectsHandler, readProjectsHandler } from './rpc/list-projects.ts';
import { listSkippedTextsHandler } from './rpc/list-skipped-texts.ts';
import { listTasksHandler } from './rpc/list-tasks.ts';
import { pushItemsHandler } from './rpc/push-items.ts';
import { readFeedHandler, readHeadsHandler } from './rpc/read-feed.ts';
import { removeDecisionHandler } from './rpc/remove-decision.ts';
import { removeProjectHandler } from './rpc/remove-project.ts';
import { openContentStores, type Storage } from './store/open-stores.ts';

/** The most that a team may have. */
export interface Quotas {
  itemsOfTeam: Share;
  /** Of a member, within that of the team: what keys of tier team wrote. */
  itemsOfMember: Share;
  /** The same of what keys of tier external wrote. */
  itemsOfExternalMember: Share;
  decisionsOfTeam: Share;
  /** Projects that are created; items may name ten times as many. */
  projectsOfTeam: number;
}

/** What the content service is made from. */
export interface ContentServiceOptions {
  storage: Storage;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Versions kept of an item, or of a decision, before its present one. */
  itemHistory: number;
  quotas: Quotas;
  log: Log;
  metrics: Metrics;
}

/** The content service of a process. */
export interface ContentServiceInstance {
  rpc: RpcService;
  /** Answers when the service can work, else throws AppError `unavailable`. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** Assembles the content service: its stores, its domain and a handler for each RPC. */
export async function createContentService(options: ContentServiceOptions): Promise<ContentServiceInstance> {
  const stores = await openContentStores(options.storage);
  const { items, tasks, decisions, projects, places, skipped } = stores;
  const { clock, itemHistory, quotas } = options;
  const projectsMax = quotas.projectsOfTeam;
  const writer = createItemWriter({
    ...{ items, clock, itemHistory },
    quota: itemQuota(quotas.itemsOfTeam, {
      team: quotas.itemsOfMember,
      external: quotas.itemsOfExternalMember,
    }),
  });
  const decisionWriter = createItemWriter({
    ...{ items: decisions, clock, itemHistory },
    quota: { team: quotas.decisionsOfTeam },
  });
  const cursors = createCursors(stores.cursorSecret);
  const worker = createTaskWorker();
  options.metrics.gauge(
    'task_texts_waiting',
    'Texts that wait to be read for tasks beside the event loop.',
    worker.waiting,
  );
  const projection = createProjection({
    ...stores,
    worker,
    clock,
    projectsMax,
    watch: watchCatchUps({ ...options, projection: 'tasks' }),
    onSkipped: countSkipped(options.metrics),
  });
  return {
    rpc: rpcService(ContentService, {
      pushItems: pushItemsHandler({ writer, projection }),
      listItems: listItemsHandler({ items, cursors }),
      getItemsVersion: getItemsVersionHandler({ items }),
      deleteItem: deleteItemHandler({ writer, projection }),
      listItemVersions: listItemVersionsHandler({ items }),
      readFeed: readFeedHandler({ items, tasks, decisions }),
      readHeads: readHeadsHandler({ items, tasks, decisions, places, projection }),
      readProjects: readProjectsHandler({ projects, projection }),
      listFeeds: listFeedsHandler(stores),
      listTasks: listTasksHandler({ tasks, cursors, projection }),
      listDecisions: listDecisionsHandler({ decisions, cursors }),
      createDecision: createDecisionHandler({ writer: decisionWriter, projection }),
      editDecision: editDecisionHandler({ decisions, writer: decisionWriter, projection }),
      getDecision: getDecisionHandler({ decisions }),
      listDecisionVersions: listDecisionVersionsHandler({ decisions }),
      listProjects: listProjectsHandler({ projects, projection }),
      removeDecision: removeDecisionHandler({ writer: decisionWriter, projection }),
      createProject: createProjectHandler({ projects, places, projection, projectsMax }),
      removeProject: removeProjectHandler({ projects, places, projection }),
      listSkippedTexts: listSkippedTextsHandler({ skipped, projection }),
    }),
    ready: stores.ping,
    async close() {
      await projection.close();
      await worker.close();
      await stores.close();
    },
  };
}

/** Counts texts by the reason for which they were skipped; every reason is there from the start. */
function countSkipped(metrics: Metrics): (reason: SkipReason) => void {
  const help =
    'Versions of items and decisions that were not read for tasks, or not to their end, by reason.';
  const counters = skipReasons.map((reason) => [
    reason,
    metrics.counter('task_texts_skipped_total', help, { reason }),
  ]);
  const byReason = Object.fromEntries(counters) as Record<SkipReason, () => void>;
  return (reason) => byReason[reason]();
}
