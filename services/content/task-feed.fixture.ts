import type { Engine } from '@teammemory/testkit/describe-each-engine.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import { afterEach, beforeEach, expect } from 'vitest';
import type { DecisionFields } from './domain/decisions/decision.ts';
import { createDecision, editDecision } from './domain/decisions/decisions.ts';
import { createCursors } from './domain/feed/cursor.ts';
import { listFeed, pageJson } from './domain/feed/feed-page.ts';
import { createFeedWriter } from './domain/feed/feed-writer.ts';
import type { Projection } from './domain/feed/progress.ts';
import { checksumOf, itemDraft } from './domain/items/item.fixture.ts';
import { deleteItem } from './domain/items/items.ts';
import { pushItems } from './domain/items/push-items.ts';
import { createProjection } from './domain/tasks/projection.ts';
import { type ContentStores, openContentStores } from './store/open-stores.ts';
import { createTaskWorker } from './task-thread/task-worker.ts';

export const team = 'team';
/** Of all tests of a file: its thread keeps no process alive. */
export const worker = createTaskWorker();

export const clock = () => 1_000;
export const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const ada = { tier: 'team', handle: 'ada', memberId: 'id-of-ada' } as const;

interface TaskRow {
  task_id: string;
  title: string;
  updated_at: string;
  deleted?: true;
}

/** Opens empty stores for each test of a suite, writes items and decisions into them, and reads the tasks made of them. */
export function taskFeedOf(engine: Engine) {
  let stores: ContentStores;
  let projection: Projection;
  let pushed = 0;

  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
    projection = createProjection({ ...stores, worker, clock });
  });
  afterEach(async () => {
    await projection.close();
    await stores.close();
  });

  const writer = () => createFeedWriter({ feed: stores.items, clock, history: 2 });
  const decisionWriter = () => createFeedWriter({ feed: stores.decisions, clock, history: 2 });

  async function pushAll(drafts: ReturnType<typeof itemDraft>[]): Promise<void> {
    const result = await pushItems({ writer: writer() }, team, ada, drafts);
    expect(result).toMatchObject({ written: drafts.length });
  }

  function push(content: string, changed: Parameters<typeof itemDraft>[0] = {}): Promise<void> {
    pushed += 1;
    const checksum = checksumOf((pushed % 16).toString(16));
    return pushAll([itemDraft({ rowKey: 'tasks.md', content, checksum, ...changed })]);
  }

  /** The rows that a key of a tier gets, removed ones included. */
  async function read(tier: Tier = 'team', from: Projection = projection): Promise<TaskRow[]> {
    await from.catchUp(team);
    const query = { sinceMs: undefined, cursor: '', limit: 200, includeDeleted: true };
    const cursors = createCursors(stores.cursorSecret);
    const { rows } = await listFeed({ feed: stores.tasks, cursors }, 'tasks', { teamId: team, tier }, query);
    return JSON.parse(Buffer.from(pageJson(rows, 'task_id')).toString());
  }

  /** A projection as a process finds it after another died between its rows and its progress. */
  function forgetful(): Projection {
    const none = { tasksSeq: 0, itemsSeq: 0, decisionsSeq: 0, taskForm: 0, projectsVersion: 0 };
    const progress = { ...stores.progress, progress: async () => none, keep: async () => undefined };
    return createProjection({ ...stores, worker, clock, progress });
  }

  async function decide(changed: Partial<DecisionFields> = {}): Promise<string> {
    const fields = { status: 'accepted', project: null, decidedOn: null, hidden: false } as const;
    const text = { title: 'Use SQLite', body: '- [ ] tell everyone', audience: 'team' } as const;
    const dependencies = { writer: decisionWriter() };
    return (await createDecision(dependencies, team, { handle: 'x' }, { ...fields, ...text, ...changed }))
      .decisionId;
  }

  async function edit(decisionId: string, changed: Partial<DecisionFields>): Promise<void> {
    const change = { decisionId, baseUpdatedAtMs: undefined, changed };
    await editDecision({ ...stores, writer: decisionWriter() }, team, { handle: 'x' }, change);
  }

  return {
    stores: () => stores,
    projection: () => projection,
    push,
    pushAll,
    remove: (rowKey = 'tasks.md') => deleteItem({ writer: writer() }, team, ada, rowKey),
    decide,
    edit,
    read,
    live: async () => (await read()).filter(({ deleted }) => !deleted),
    forgetful,
  };
}
