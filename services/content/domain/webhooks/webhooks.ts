import { AppError } from '@teammemory/errors/app-error.ts';
import { isSlug } from '@teammemory/vocabulary/formats.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import type { Cursors } from '../feed/cursor.ts';
import { type FollowedLists, newestPositions, pingBody } from './event-body.ts';
import type { SendEvent, SendResult } from './send-event.ts';
import { randomEventId, signedHeaders } from './sign-event.ts';
import {
  changeWebhook,
  defaultOverlapMs,
  listsOf,
  maxOverlapMs,
  maxWebhooks,
  newWebhook,
  secretsAt,
  switchedOff,
  triedAgain,
  type Webhook,
  type WebhookList,
  type WebhookStore,
  withNewSecret,
  withoutPending,
} from './webhook.ts';
import { type AddressRules, webhookUrl } from './webhook-url.ts';

/** Whoever tests a webhook waits for it, within the deadline of a call. */
const testTimeoutMs = 7_000;

/** What the use cases of webhooks need. */
export interface WebhookDependencies {
  webhooks: WebhookStore;
  lists: FollowedLists;
  cursors: Cursors;
  rules: AddressRules;
  send: SendEvent;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Makes tasks of everything that was written before. */
  catchUp: (teamId: string) => Promise<unknown>;
}

/** A webhook to create. */
export interface WebhookDraft {
  teamSlug: string;
  url: string;
  /** None: all. */
  lists: readonly WebhookList[];
  tier: Tier;
}

/**
 * Creates a webhook, which tells of what changes from now on.
 * @throws AppError `invalid_request`, `quota_exceeded` if the team has as many as it may, `unavailable`.
 */
export async function createWebhook(
  { webhooks, lists: feeds, rules, clock, catchUp }: WebhookDependencies,
  teamId: string,
  { teamSlug, url, lists, tier }: WebhookDraft,
): Promise<Webhook> {
  if (!isSlug(teamSlug)) throw invalid('/team_slug', 'must be the slug of the team');
  const wanted = { teamId, teamSlug, tier, url: webhookUrl(url, rules) };
  await catchUp(teamId);
  const positions = await newestPositions(feeds, wanted, lists);
  const webhook = newWebhook({ ...wanted, positions }, clock());
  if ((await webhooks.create(teamId, webhook, maxWebhooks)) === 'created') return webhook;
  throw new AppError('quota_exceeded', `A team may have ${maxWebhooks} webhooks.`);
}

/** Lists the webhooks of a team by id; they are few. */
export function listWebhooks(
  { webhooks }: Pick<WebhookDependencies, 'webhooks'>,
  teamId: string,
): Promise<Webhook[]> {
  return webhooks.list(teamId, maxWebhooks);
}

/** What changes in a webhook; what is unset stays. */
export interface WebhookEdit {
  url: string | undefined;
  /** None: they stay. A list that is new begins with what changes from now on. */
  lists: readonly WebhookList[];
  /** Switching on tries at once what is not delivered yet. */
  isOn: boolean | undefined;
}

/**
 * Edits a webhook.
 * @throws AppError `invalid_request`, `not_found`, `unavailable`.
 */
export async function editWebhook(
  { webhooks, lists: feeds, rules, clock, catchUp }: WebhookDependencies,
  teamId: string,
  webhookId: string,
  { url, lists, isOn }: WebhookEdit,
): Promise<Webhook> {
  const newUrl = url === undefined ? undefined : webhookUrl(url, rules);
  const known = (await webhooks.find(teamId, webhookId)) ?? noSuchWebhook();
  if (lists.length > 0) await catchUp(teamId);
  const newest = await newestPositions(feeds, known, lists);
  return changed(webhooks, teamId, webhookId, (stored) => {
    let webhook = stored;
    if (newUrl !== undefined && newUrl !== stored.url) {
      const { failing: _, ...rest } = webhook;
      webhook = { ...rest, url: newUrl, nextAttemptMs: 0 };
    }
    if (lists.length > 0) {
      const dropped = listsOf(stored).filter((list) => !lists.includes(list));
      const kept = lists.map((list) => [list, stored.positions[list] ?? newest[list]]);
      webhook = { ...withoutPending(webhook, dropped), positions: Object.fromEntries(kept) };
    }
    if (isOn === true) return triedAgain(webhook);
    return isOn === false ? switchedOff(webhook, 'administrator', clock()) : webhook;
  });
}

/**
 * Gives a webhook a new secret. The present one signs too for `overlapMs`; one before that no longer does.
 * @throws AppError `invalid_request`, `not_found`, `unavailable`.
 */
export function rotateWebhookSecret(
  { webhooks, clock }: WebhookDependencies,
  teamId: string,
  webhookId: string,
  overlapMs: number = defaultOverlapMs,
): Promise<Webhook> {
  if (overlapMs > maxOverlapMs)
    throw invalid('/overlap_seconds', `must be at most ${maxOverlapMs / 1_000} seconds`);
  return changed(webhooks, teamId, webhookId, (webhook) => withNewSecret(webhook, overlapMs, clock()));
}

/** Where a replay begins: at a cursor of one list, or at a time in one list or all. */
export type ReplayStart =
  | { list: WebhookList; cursor: string }
  | { list: WebhookList | undefined; sinceMs: number };

/**
 * Makes a webhook tell again of everything that changed after a cursor or a time, under new ids.
 * @throws AppError `invalid_cursor`, `invalid_request` for a list that it does not follow, `not_found`, `unavailable`.
 */
export async function replayWebhook(
  { webhooks, cursors }: WebhookDependencies,
  teamId: string,
  webhookId: string,
  start: ReplayStart,
): Promise<Webhook> {
  return changed(webhooks, teamId, webhookId, (webhook) => {
    const lists = start.list === undefined ? listsOf(webhook) : [start.list];
    if (lists.some((list) => webhook.positions[list] === undefined))
      throw invalid('/list', 'must be a list that the webhook follows');
    const positions = lists.map((list) => {
      const scope = { list, teamId, tier: webhook.tier };
      const afterMs = 'cursor' in start ? cursors.decode(scope, start.cursor) : start.sinceMs;
      // Never forward: what was not delivered yet would be lost.
      return [list, Math.min(afterMs, webhook.positions[list] ?? 0)];
    });
    return {
      ...withoutPending(webhook, lists),
      positions: { ...webhook.positions, ...Object.fromEntries(positions) },
      replays: webhook.replays + 1,
    };
  });
}

/**
 * Removes a webhook, with what it did not deliver.
 * @throws AppError `not_found`, `unavailable`.
 */
export async function removeWebhook(
  { webhooks }: WebhookDependencies,
  teamId: string,
  webhookId: string,
): Promise<void> {
  if (!(await webhooks.remove(teamId, webhookId))) noSuchWebhook();
}

/**
 * Sends an event `ping` at once, also if the webhook is off, and returns how that ended.
 * @throws AppError `not_found`, `unavailable`; the reason of `signal`.
 */
export async function testWebhook(
  { webhooks, send, clock }: WebhookDependencies,
  teamId: string,
  webhookId: string,
  signal: AbortSignal,
): Promise<SendResult> {
  const webhook = (await webhooks.find(teamId, webhookId)) ?? noSuchWebhook();
  const nowMs = clock();
  const event = { id: randomEventId(), body: pingBody(webhook, nowMs) };
  const headers = signedHeaders(event, secretsAt(webhook, nowMs), nowMs);
  return send({ url: webhook.url, headers, body: event.body, signal, timeoutMs: testTimeoutMs });
}

async function changed(
  webhooks: WebhookStore,
  teamId: string,
  webhookId: string,
  change: (webhook: Webhook) => Webhook,
): Promise<Webhook> {
  return (await changeWebhook(webhooks, teamId, webhookId, change)) ?? noSuchWebhook();
}

function noSuchWebhook(): never {
  throw new AppError('not_found', 'There is no such webhook.');
}

function invalid(pointer: string, detail: string): AppError {
  return new AppError('invalid_request', `The ${pointer.slice(1)} ${detail}.`, {
    violations: [{ pointer, detail }],
  });
}
