import type { Log } from '@teammemory/log/log.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { type RpcService, rpcService } from '@teammemory/rpc/rpc-service.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { watchCatchUps } from '@teammemory/telemetry/watch-catch-ups.ts';
import { createItemWriter } from './domain/item-writer.ts';
import { createProjection } from './domain/projection.ts';
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
import { listProjectsHandler } from './rpc/list-projects.ts';
import { listTasksHandler } from './rpc/list-tasks.ts';
import { pushItemsHandler } from './rpc/push-items.ts';
import { readFeedHandler } from './rpc/read-feed.ts';
import { openContentStores, type Storage } from './store/open-stores.ts';

/** What the content service is made from. */
export interface ContentServiceOptions {
  storage: Storage;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Versions kept of an item, or of a decision, before its present one. */
  itemHistory: number;
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
  const { items, tasks, decisions, projects } = stores;
  const { clock, itemHistory } = options;
  const writer = createItemWriter({ items, clock, itemHistory });
  const decisionWriter = createItemWriter({ items: decisions, clock, itemHistory });
  const projection = createProjection({
    ...stores,
    clock,
    watch: watchCatchUps({ ...options, projection: 'tasks' }),
  });
  return {
    rpc: rpcService(ContentService, {
      pushItems: pushItemsHandler({ writer, projection }),
      listItems: listItemsHandler({ items }),
      getItemsVersion: getItemsVersionHandler({ items }),
      deleteItem: deleteItemHandler({ writer, projection }),
      listItemVersions: listItemVersionsHandler({ items }),
      readFeed: readFeedHandler({ items }),
      listFeeds: listFeedsHandler(stores),
      listTasks: listTasksHandler({ tasks, projection }),
      listDecisions: listDecisionsHandler({ decisions }),
      createDecision: createDecisionHandler({ writer: decisionWriter, projection }),
      editDecision: editDecisionHandler({ decisions, writer: decisionWriter, projection }),
      getDecision: getDecisionHandler({ decisions }),
      listDecisionVersions: listDecisionVersionsHandler({ decisions }),
      listProjects: listProjectsHandler({ projects, projection }),
      createProject: createProjectHandler({ projects, projection }),
    }),
    ready: stores.ping,
    async close() {
      await projection.close();
      await stores.close();
    },
  };
}
