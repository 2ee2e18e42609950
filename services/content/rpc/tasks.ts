import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { ServiceImpl } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import {
  type ContentService,
  SkipReason as ReasonProto,
  type SkippedTextSchema,
  TaskStatus as StatusProto,
  type TaskFilter as TaskFilterMessage,
} from '@teammemory/proto/content/v1/content_pb.ts';
import { requireCaller } from '@teammemory/rpc/auth/caller-context.ts';
import { pageSizeFromProto } from '@teammemory/rpc/request-fields.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import type { TaskStatus } from '@teammemory/vocabulary/task.ts';
import type { Cursors } from '../domain/feed/cursor.ts';
import { listFeedJson } from '../domain/feed/feed-page.ts';
import type { FeedStore } from '../domain/feed/feed-store.ts';
import type { RowFilter } from '../domain/feed/filtered-page.ts';
import type { Projection } from '../domain/feed/progress.ts';
import { readTask, type TaskIdStore } from '../domain/tasks/read-task.ts';
import {
  listSkippedTexts,
  type SkippedText,
  type SkippedTextStore,
  type SkipReason,
} from '../domain/tasks/skipped-texts.ts';
import { taskRowFilter } from '../domain/tasks/task-filter.ts';
import { noRemovedRows, pageQueryFromProto, pageToProto } from './feed-proto.ts';
import { requireTeamWriter } from './team-principal.ts';

type Handlers = ServiceImpl<typeof ContentService>;

interface Dependencies {
  tasks: FeedStore;
  cursors: Cursors;
  projection: Projection;
  taskIds: TaskIdStore;
  skipped: SkippedTextStore;
}

const reasons: Record<SkipReason, ReasonProto> = {
  too_complex: ReasonProto.TOO_COMPLEX,
  too_many: ReasonProto.TOO_MANY,
  too_deep: ReasonProto.TOO_DEEP,
  too_long: ReasonProto.TOO_LONG,
};

/** Handles `ContentService.ListTasks`: tasks of every item whose push was acknowledged before. */
export function listTasksHandler({ tasks: feed, cursors, projection }: Dependencies): Handlers['listTasks'] {
  return async (request, context) => {
    const reader = requireCaller(context);
    const query = { ...pageQueryFromProto(request.page), filter: taskFilterFromProto(request.filter) };
    if (query.filter !== undefined && query.includeDeleted) throw noRemovedRows();
    await projection.catchUp(reader.teamId);
    const page = await listFeedJson({ feed, cursors }, 'tasks', reader, query, 'task_id');
    return { page: pageToProto(page, request.page) };
  };
}

const statuses: Partial<Record<StatusProto, TaskStatus>> = {
  [StatusProto.OPEN]: 'open',
  [StatusProto.DONE]: 'done',
  [StatusProto.CANCELLED]: 'cancelled',
};

/** Returns a filter of tasks; undefined if all are wanted. Throws AppError `invalid_request`. */
function taskFilterFromProto(filter: TaskFilterMessage | undefined): RowFilter | undefined {
  const { status = StatusProto.UNSPECIFIED, owner, project, dueBy } = filter ?? {};
  const wanted = statuses[status];
  if (status !== StatusProto.UNSPECIFIED && wanted === undefined) {
    const violations = [{ pointer: '/status', detail: 'must be open, done or cancelled' }];
    throw new AppError('invalid_request', 'The filter breaks a rule.', { violations });
  }
  return taskRowFilter({
    status: wanted,
    owner: owner || undefined,
    project: project || undefined,
    dueBy: dueBy || undefined,
  });
}

/** Handles `ContentService.GetTask`. */
export function getTaskHandler({ tasks, taskIds, projection }: Dependencies): Handlers['getTask'] {
  return async ({ taskId }, context) => {
    const reader = requireCaller(context);
    return { taskJson: await readTask({ tasks, taskIds, projection }, reader, taskId) };
  };
}

/** Handles `ContentService.ListSkippedTexts`. */
export function listSkippedTextsHandler({ skipped, projection }: Dependencies): Handlers['listSkippedTexts'] {
  return async (request, context) => {
    const { teamId } = requireTeamWriter(context, request.teamId);
    const query = {
      after: request.pageToken,
      limit: pageSizeFromProto(request.pageSize, maxPageRows),
      rowKey: request.rowKey,
    };
    const { texts, next } = await listSkippedTexts({ skipped, projection }, teamId, query);
    return { texts: texts.map(skippedTextToProto), nextPageToken: next };
  };
}

function skippedTextToProto(text: SkippedText): MessageInitShape<typeof SkippedTextSchema> {
  const { kind, id, reason, noticedAtMs } = text;
  return {
    ...(kind === 'item' ? { rowKey: id } : { decisionId: id }),
    reason: reasons[reason],
    noticedAt: timestampFromMs(noticedAtMs),
  };
}
