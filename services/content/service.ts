import { createAuditLog } from '@teammemory/audit/audit-log.ts';
import { createRestore } from '@teammemory/backup/restore.ts';
import type { Log } from '@teammemory/log/log.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { auditHandlers, createAudit, refusalsTo } from '@teammemory/rpc/server/audit-handlers.ts';
import { backupHandlers } from '@teammemory/rpc/server/backup-handlers.ts';
import { rpcService, type ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { watchCatchUps } from '@teammemory/telemetry/watch-catch-ups.ts';
import { findSecrets, type SecretFinder } from '@teammemory/vocabulary/secret-scan.ts';
import { startBackgroundWork } from './background-work.ts';
import { createCursors } from './domain/feed/cursor.ts';
import { createFeedWriter } from './domain/feed/feed-writer.ts';
import { teamHeads } from './domain/feed/progress.ts';
import type { Share } from './domain/feed/quota.ts';
import { itemQuota } from './domain/items/item.ts';
import { renamingStep } from './domain/items/rename-items.ts';
import { createProjection } from './domain/tasks/projection.ts';
import { type SkipReason, skipReasons } from './domain/tasks/skipped-texts.ts';
import { type AuthAccess, createAuthCredentials } from './rpc/auth-credentials.ts';
import {
  createDecisionHandler,
  editDecisionHandler,
  getDecisionHandler,
  getShownDecisionHandler,
  listDecisionsHandler,
  listDecisionVersionsHandler,
  removeDecisionHandler,
} from './rpc/decisions.ts';
import {
  createNoteExport,
  listFeedsHandler,
  readFeedHandler,
  readHeadsHandler,
  readNewestTimesHandler,
} from './rpc/feeds.ts';
import { importDecisionHandler, importItemsHandler } from './rpc/imports.ts';
import {
  deleteItemHandler,
  eraseItemHandler,
  getItemHandler,
  getItemSummariesHandler,
  getItemsVersionHandler,
  getItemVersionHandler,
  listFolderHandler,
  listItemHistoryHandler,
  listItemsHandler,
  listItemVersionsHandler,
  pushItemsHandler,
} from './rpc/items.ts';
import { eraseMemberTextsHandler } from './rpc/member-texts.ts';
import {
  createProjectHandler,
  listProjectItemsHandler,
  listProjectsHandler,
  readProjectActivityHandler,
  readProjectsHandler,
  removeProjectHandler,
  renameProjectHandler,
} from './rpc/projects.ts';
import {
  acceptProposalHandler,
  declineProposalHandler,
  getProposalHandler,
  listProposalsHandler,
  withdrawProposalHandler,
} from './rpc/proposals.ts';
import { getTaskHandler, listSkippedTextsHandler, listTasksHandler } from './rpc/tasks.ts';
import { repairUsageHandler } from './rpc/usage.ts';
import { watchHeadsHandler } from './rpc/watch-heads.ts';
import {
  createWebhookHandler,
  editWebhookHandler,
  listWebhooksHandler,
  removeWebhookHandler,
  replayWebhookHandler,
  rotateWebhookSecretHandler,
  testWebhookHandler,
} from './rpc/webhooks.ts';
import { openContentStores, type Storage } from './store/open-stores.ts';
import { createTaskWorker } from './task-thread/task-worker.ts';
import { startWebhooks } from './webhook-delivery.ts';

/** The most that a team may have. */
export interface Quotas {
  itemsOfTeam: Share;
  /** Quota of a member for texts written with keys of tier team, within the team's quota. */
  itemsOfMember: Share;
  /** Quota of a member for texts written with keys of tier external, within the team's quota. */
  itemsOfExternalMember: Share;
  decisionsOfTeam: Share;
  /** Projects that are created; items may name ten times as many. */
  projectsOfTeam: number;
}

export interface ContentServiceOptions {
  storage: Storage;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Versions kept of an item, or of a decision, before its present one. */
  itemHistory: number;
  quotas: Quotas;
  /** Private addresses that webhooks may call: IP addresses and ranges like `10.1.0.0/16`. Unset: none. */
  webhookAllowedAddresses?: readonly string[] | undefined;
  /** How long the entries of the audit log are kept, in milliseconds; unset: 400 days. */
  auditKeptMs?: number;
  /** Whether texts with credentials are refused; unset: `on`. */
  secretScan?: 'on' | 'off';
  /**
   * Reaches the auth service, with tokens of the scope auth:read, to ask whether those who change webhooks still may. Unset:
   * only the token that the installation was set up with may.
   */
  auth?: AuthAccess;
  log: Log;
  metrics: Metrics;
}

/** Assembles the content service: its stores, its domain and a handler for each RPC. */
export async function createContentService(options: ContentServiceOptions): Promise<ServiceInstance> {
  const stores = await openContentStores(options.storage);
  const restore = await createRestore(stores.backup);
  const { items, decisions } = stores;
  const { clock, itemHistory: history, quotas } = options;
  const auditLog = createAuditLog({
    store: stores.audit,
    clock,
    keptMs: options.auditKeptMs,
    log: options.log,
  });
  const audit = createAudit(auditLog);
  const noteExport = createNoteExport(audit, clock);
  const maxProjects = quotas.projectsOfTeam;
  const writer = createFeedWriter({
    feed: items,
    clock,
    history,
    quota: itemQuota(quotas.itemsOfTeam, {
      team: quotas.itemsOfMember,
      external: quotas.itemsOfExternalMember,
    }),
  });
  const decisionWriter = createFeedWriter({
    feed: decisions,
    clock,
    history,
    quota: { team: quotas.decisionsOfTeam },
  });
  const cursors = createCursors(stores.cursorSecret);
  const worker = createTaskWorker();
  options.metrics.gauge('teammemory_task_texts_waiting', worker.waiting);
  const projection = createProjection({
    ...stores,
    worker,
    clock,
    maxProjects,
    watch: watchCatchUps({ ...options, projection: 'tasks' }),
    onSkipped: countSkipped(options.metrics),
  });
  const migrations = stores.migrate(
    {
      name: 'names of items that belong to decisions, tasks and projects',
      step: renamingStep({
        items,
        writer,
        onRenamed(renamed) {
          options.log.info(
            renamed,
            'an item was renamed, because its name belongs to a decision, task or project',
          );
          projection.nudge(renamed.teamId);
        },
      }),
    },
    options,
  );
  const headsOf = (teamId: string) => teamHeads({ ...stores, projection }, teamId);
  const background = startBackgroundWork({ ...options, stores, headsOf });
  const { changed } = background;
  const webhooks = startWebhooks({
    ...options,
    stores,
    cursors,
    changed,
    catchUp: headsOf,
    allowedAddresses: options.webhookAllowedAddresses ?? [],
  });
  const dependencies = {
    ...stores,
    audit,
    noteExport,
    cursors,
    projection,
    writer,
    writers: { items: writer, decisions: decisionWriter },
    changed,
    clock,
    maxProjects,
    findSecrets: options.secretScan === 'off' ? findNothing : findSecrets,
  };
  const forDecisions = { ...dependencies, writer: decisionWriter };
  const forWebhooks = { audit, webhooks: webhooks.dependencies };
  return {
    rpc: rpcService(
      ContentService,
      {
        ...auditHandlers(auditLog),
        ...backupHandlers(stores.backup, restore, audit),
        pushItems: pushItemsHandler(dependencies),
        importItems: importItemsHandler(dependencies),
        importDecision: importDecisionHandler(forDecisions),
        listItems: listItemsHandler(dependencies),
        listFolder: listFolderHandler(dependencies),
        getItemSummaries: getItemSummariesHandler(dependencies),
        getItemsVersion: getItemsVersionHandler(dependencies),
        readNewestTimes: readNewestTimesHandler(dependencies),
        getItem: getItemHandler(dependencies),
        listItemHistory: listItemHistoryHandler(dependencies),
        getItemVersion: getItemVersionHandler(dependencies),
        deleteItem: deleteItemHandler(dependencies),
        eraseItem: eraseItemHandler(dependencies),
        listItemVersions: listItemVersionsHandler(dependencies),
        readFeed: readFeedHandler(dependencies),
        readHeads: readHeadsHandler(dependencies),
        readProjects: readProjectsHandler(dependencies),
        repairUsage: repairUsageHandler(dependencies),
        listFeeds: listFeedsHandler(dependencies),
        watchHeads: watchHeadsHandler(dependencies),
        listTasks: listTasksHandler(dependencies),
        getTask: getTaskHandler(dependencies),
        listDecisions: listDecisionsHandler(dependencies),
        createDecision: createDecisionHandler(forDecisions),
        editDecision: editDecisionHandler(forDecisions),
        getShownDecision: getShownDecisionHandler(dependencies),
        getDecision: getDecisionHandler(dependencies),
        listDecisionVersions: listDecisionVersionsHandler(dependencies),
        listProjects: listProjectsHandler(dependencies),
        eraseMemberTexts: eraseMemberTextsHandler(dependencies),
        removeDecision: removeDecisionHandler(forDecisions),
        createProject: createProjectHandler(dependencies),
        removeProject: removeProjectHandler(dependencies),
        renameProject: renameProjectHandler(dependencies),
        listProjectItems: listProjectItemsHandler(dependencies),
        readProjectActivity: readProjectActivityHandler(dependencies),
        listSkippedTexts: listSkippedTextsHandler(dependencies),
        listProposals: listProposalsHandler(dependencies),
        getProposal: getProposalHandler(dependencies),
        acceptProposal: acceptProposalHandler(dependencies),
        declineProposal: declineProposalHandler(dependencies),
        withdrawProposal: withdrawProposalHandler(dependencies),
        createWebhook: createWebhookHandler(forWebhooks),
        listWebhooks: listWebhooksHandler(forWebhooks),
        editWebhook: editWebhookHandler(forWebhooks),
        rotateWebhookSecret: rotateWebhookSecretHandler(forWebhooks),
        replayWebhook: replayWebhookHandler(forWebhooks),
        removeWebhook: removeWebhookHandler(forWebhooks),
        testWebhook: testWebhookHandler(forWebhooks),
      },
      {
        assertOpen: restore.assertOpen,
        onRefused: refusalsTo(auditLog),
        ...(options.auth && { lookUpCredential: createAuthCredentials(options.auth) }),
      },
    ),
    async ready() {
      await stores.ready();
      await restore.ready();
    },
    async close() {
      await migrations.close();
      await background.close();
      await webhooks.close();
      await projection.close();
      await worker.close();
      await auditLog.close();
      await stores.close();
    },
  };
}

const findNothing: SecretFinder = () => [];

/** Counts skipped texts by reason; every reason has a counter from the start. */
function countSkipped(metrics: Metrics): (reason: SkipReason) => void {
  const counters = skipReasons.map((reason) => [
    reason,
    metrics.counter('teammemory_task_texts_skipped_total', { reason }),
  ]);
  const byReason = Object.fromEntries(counters) as Record<SkipReason, () => void>;
  return (reason) => byReason[reason]();
}
