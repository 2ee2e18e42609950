import type { Cursors } from '../feed/cursor.ts';
import { publicId } from '../feed/feed-page.ts';
import type { FeedStore, PageRow } from '../feed/feed-store.ts';
import { listsOf, type PendingEvent, type Webhook, type WebhookList } from './webhook.ts';

/** The feeds that webhooks follow. */
export type FollowedLists = Readonly<Record<WebhookList, FeedStore>>;

/** Rows that an event names. */
const maxNamedRows = 50;
/** Characters that their names take: receivers expect small events, and row keys have up to 1,024 bytes. */
const maxNamedCharacters = 12_000;
/** Bytes of rows read to name them. */
const maxReadBytes = 1024 * 1024;

const identities = { items: 'row_key', tasks: 'task_id', decisions: 'decision_id' } as const;

/** Returns the next event of a list; undefined if nothing has changed. */
export async function nextEvent(
  lists: FollowedLists,
  { teamId, tier, positions }: Webhook,
  list: WebhookList,
  nowMs: number,
): Promise<PendingEvent | undefined> {
  const afterMs = positions[list];
  if (afterMs === undefined) return undefined;
  const untilMs = await lists[list].newestAtMs(teamId, tier);
  return untilMs > afterMs ? { list, afterMs, untilMs, createdAtMs: nowMs } : undefined;
}

/** Whether an event waits, or a list has changes that no event told of. */
export async function hasNews(feeds: FollowedLists, webhook: Webhook): Promise<boolean> {
  if (webhook.pending !== undefined) return true;
  const newest = await newestPositions(feeds, webhook, listsOf(webhook));
  return listsOf(webhook).some((list) => (newest[list] ?? 0) > (webhook.positions[list] ?? 0));
}

/** Returns the positions of lists at their newest rows, as one tier sees them. */
export async function newestPositions(
  feeds: FollowedLists,
  { teamId, tier }: Pick<Webhook, 'teamId' | 'tier'>,
  lists: readonly WebhookList[],
): Promise<Webhook['positions']> {
  const entries = lists.map(async (list) => [list, await feeds[list].newestAtMs(teamId, tier)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * Returns the body of an event. It says where to pull and which rows changed, never what they contain. If it is repeated, it
 * may name fewer rows: those that changed again meanwhile are of the next event.
 */
export async function eventBody(
  dependencies: { lists: FollowedLists; cursors: Cursors },
  webhook: Webhook,
  event: PendingEvent,
): Promise<string> {
  const { webhookId, teamId, teamSlug, tier } = webhook;
  const { list, afterMs, untilMs } = event;
  const scope = { list, teamId, tier };
  const range = { afterMs, untilMs, limit: maxNamedRows + 1, maxBytes: maxReadBytes, includeDeleted: true };
  const rows = await dependencies.lists[list].page(teamId, tier, range);
  const changes = namesOf(rows, list);
  const bytes = rows.reduce((sum, { json }) => sum + json.length, 0);
  return JSON.stringify({
    type: `${list}.changed`,
    timestamp: new Date(event.createdAtMs).toISOString(),
    data: {
      webhook_id: webhookId,
      team: teamSlug,
      tier,
      list,
      cursor: dependencies.cursors.encode(scope, afterMs),
      next_cursor: dependencies.cursors.encode(scope, untilMs),
      changes,
      has_more: changes.length < rows.length || bytes > maxReadBytes,
    },
  });
}

function namesOf(rows: readonly PageRow[], list: WebhookList): object[] {
  const names: object[] = [];
  let characters = 0;
  for (const { rowKey, atMs, deleted } of rows.slice(0, maxNamedRows)) {
    const id = publicId(rowKey);
    characters += id.length;
    if (characters > maxNamedCharacters) break;
    const updated_at = new Date(atMs).toISOString();
    names.push({ [identities[list]]: id, updated_at, ...(deleted ? { deleted } : {}) });
  }
  return names;
}

/** Returns the body of an event that tells of no changes, for those who set up a receiver. */
export function pingBody(webhook: Webhook, nowMs: number): string {
  const data = { webhook_id: webhook.webhookId, team: webhook.teamSlug, lists: listsOf(webhook) };
  return JSON.stringify({ type: 'ping', timestamp: new Date(nowMs).toISOString(), data });
}
