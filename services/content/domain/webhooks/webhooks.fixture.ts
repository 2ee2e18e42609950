import { createAddressRules } from '@teammemory/admission/outbound/addresses.ts';
import type { EngineStorage } from '@teammemory/testkit/describe-each-engine.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import { openContentStores } from '../../store/open-stores.ts';
import { createChangedTeams } from '../feed/changed-teams.ts';
import { createCursors } from '../feed/cursor.ts';
import { createFeedWriter } from '../feed/feed-writer.ts';
import { itemDraft } from '../items/item.fixture.ts';
import { pushItems } from '../items/push-items.ts';
import { WebhookDispatcher } from './dispatcher.ts';
import type { SendEvent, SendResult } from './send-event.ts';
import type { Webhook, WebhookList } from './webhook.ts';
import { createWebhook, type WebhookDependencies } from './webhooks.ts';

/** An event as a receiver got it. */
export interface Received {
  url: string;
  id: string;
  headers: Record<string, string>;
  body: {
    type: string;
    timestamp: string;
    data: { cursor: string; next_cursor: string; changes: Record<string, unknown>[]; has_more: boolean };
  };
}

export const second = 1_000;
export const hour = 3_600 * second;
export const down: SendResult = { outcome: 'failed', text: 'answered with status 503' };
export const delivered: SendResult = { outcome: 'delivered', text: 'answered with status 200' };

/**
 * Stores of their own, a clock that a test moves and receivers that answer as it says. What one process does,
 * `process()` does again beside it.
 */
export async function webhookWorld(storage: EngineStorage) {
  const stores = await openContentStores(storage);
  let nowMs = Date.UTC(2026, 0, 1);
  const clock = () => nowMs;
  const received: Received[] = [];
  const off: Webhook[] = [];
  const errors: unknown[] = [];
  let answer: (event: Received, signal: AbortSignal) => SendResult | Promise<SendResult> = () => delivered;
  const send: SendEvent = async ({ url, headers, body, signal }) => {
    const event = { url, headers, id: headers['webhook-id'] ?? '', body: JSON.parse(body) };
    received.push(event);
    return answer(event, signal);
  };
  const { items, tasks, decisions, webhooks, progress, marks } = stores;
  const headsOf = async (teamId: string) => {
    const [item, task, decision] = await Promise.all(
      [items, tasks, decisions].map((feed) => feed.head(teamId)),
    );
    const seqs = { itemsSeq: item?.seq ?? 0, tasksSeq: task?.seq ?? 0, decisionsSeq: decision?.seq ?? 0 };
    return { ...seqs, projectsVersion: 1, externalVersion: '' };
  };
  const cursors = createCursors(stores.cursorSecret);
  const writer = createFeedWriter({ feed: items, clock, history: 0 });
  const dependencies: WebhookDependencies = {
    webhooks,
    cursors,
    clock,
    send,
    lists: { items, tasks, decisions },
    rules: createAddressRules([]),
    catchUp: async () => undefined,
  };
  const changed = createChangedTeams({
    marks,
    progress,
    headsOf,
    clock: () => performance.now(),
    onError: (error) => void errors.push(error),
  });
  const process = (owner: string) =>
    new WebhookDispatcher({
      ...dependencies,
      owner,
      changed,
      onAttempt: () => undefined,
      onOff: (webhook) => void off.push(webhook),
      onError: (error) => void errors.push(error),
    });
  let dispatcher = process('one');

  return {
    stores,
    dependencies,
    received,
    /** The ids of the events that were received. */
    ids: () => received.map(({ id }) => id),
    /** The row_keys that an event tells of. */
    keys: (index: number) => received[index]?.body.data.changes.map(({ row_key }) => row_key),
    off,
    errors,
    clock,
    process,
    dispatcher: () => dispatcher,
    restart(owner: string) {
      dispatcher = process(owner);
    },
    /** What receivers answer from now on. */
    answer(next: typeof answer) {
      answer = next;
    },
    wait(ms: number) {
      nowMs += ms;
    },
    /** Writes items. */
    async push(rowKeys: readonly string[], tier: Tier = 'team', teamId = 'team') {
      const by = { tier: 'team', handle: 'ada', memberId: 'ada' } as const;
      const drafts = rowKeys.map((rowKey) => itemDraft({ rowKey, tier, content: `${rowKey} at ${nowMs}` }));
      const checked = drafts.map((draft, index) => ({ ...draft, checksum: checksumAt(nowMs, index) }));
      await pushItems({ writer }, teamId, by, checked);
    },
    /** Makes a webhook that begins now. */
    create: (changed: { lists?: WebhookList[]; tier?: Tier; url?: string } = {}, teamId = 'team') =>
      createWebhook(dependencies, teamId, {
        teamSlug: 'rivers',
        url: 'https://hooks.example.org/',
        lists: ['items'],
        tier: 'team',
        ...changed,
      }),
    /** Looks once at all webhooks and waits for their receivers. */
    async pass() {
      await this.look();
      await dispatcher.pass();
      await dispatcher.settled();
    },
    /** Finds the teams that changed. */
    async look() {
      await changed.look();
      await changed.settled();
    },
    stored: (webhook: Webhook) => webhooks.find(webhook.teamId, webhook.webhookId),
    async close() {
      await changed.close();
      await dispatcher.close();
      await stores.close();
    },
  };
}

export type WebhookWorld = Awaited<ReturnType<typeof webhookWorld>>;

function checksumAt(nowMs: number, index: number): string {
  return `sha256:${(nowMs + index).toString(16).padStart(64, '0')}`;
}
