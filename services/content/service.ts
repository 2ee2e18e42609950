import type { Log } from '@teammemory/log/log.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { type RpcService, rpcService } from '@teammemory/rpc/rpc-service.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { watchCatchUps } from '@teammemory/telemetry/watch-catch-ups.ts';
import { itemQuota } from './domain/item-owner.ts';
import { createItemWriter } from './domain/item-writer.ts';
import { createProjection } from './domain/projection.ts';
import type { Share } from './domain/quota.ts';
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
  const { items, tasks, decisions, projects } = stores;
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
  const projection = createProjection({
    ...stores,
    clock,
    projectsMax,
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
      removeDecision: removeDecisionHandler({ writer: decisionWriter, projection }),
      createProject: createProjectHandler({ projects, projection, projectsMax }),
      removeProject: removeProjectHandler({ projects, projection }),
    }),
    ready: stores.ping,
    async close() {
      await projection.close();
      await stores.close();
    },
  };
}
