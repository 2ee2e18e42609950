import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireTeamAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import { teamIdFromProto } from '@teammemory/rpc/request-fields.ts';
import type { Audit } from '@teammemory/rpc/server/audit-handlers.ts';
import {
  createWebhook,
  editWebhook,
  listWebhooks,
  removeWebhook,
  replayWebhook,
  rotateWebhookSecret,
  testWebhook,
  type WebhookDependencies,
} from '../domain/webhooks/webhooks.ts';
import {
  replayStartFromProto,
  webhookDraftFromProto,
  webhookListsFromProto,
  webhookToProto,
} from './webhook-proto.ts';

type Handlers = ServiceImpl<typeof ContentService>;

/**
 * Returns the team whose webhooks a call is about: that of a team's administrator whatever the message says, or the one that
 * an administrator of the installation names.
 * @throws AppError `unauthenticated`, `permission_denied`, `invalid_request` if an administrator names no team.
 */
function administeredTeam(context: Pick<HandlerContext, 'values'>, named: { teamId: string }): string {
  const caller = requireTeamAdministrator(context);
  return caller?.teamId ?? teamIdFromProto(named.teamId);
}

interface Dependencies {
  audit: Audit;
  webhooks: WebhookDependencies;
}

/** Handles `ContentService.CreateWebhook`. */
export function createWebhookHandler({ audit, webhooks }: Dependencies): Handlers['createWebhook'] {
  return async (request, context) => {
    const caller = requireTeamAdministrator(context);
    const teamId = administeredTeam(context, request);
    const draft = webhookDraftFromProto(request, caller?.teamSlug ?? request.teamSlug);
    const webhook = await audit.act(
      context,
      {
        action: 'webhook.create',
        teamId,
        object: '',
        after: { host: hostOf(request.url), tier: draft.tier },
      },
      () => createWebhook(webhooks, teamId, draft),
      ({ webhookId }) => ({ object: webhookId }),
    );
    return { webhook: webhookToProto(webhook, webhooks.clock()), secret: webhook.secret };
  };
}

/** Handles `ContentService.ListWebhooks`. */
export function listWebhooksHandler({ webhooks }: Dependencies): Handlers['listWebhooks'] {
  return async (request, context) => {
    const teamId = administeredTeam(context, request);
    const listed = await listWebhooks(webhooks, teamId);
    return { webhooks: listed.map((webhook) => webhookToProto(webhook, webhooks.clock())) };
  };
}

/** Handles `ContentService.EditWebhook`. */
export function editWebhookHandler({ audit, webhooks }: Dependencies): Handlers['editWebhook'] {
  return async (request, context) => {
    const teamId = administeredTeam(context, request);
    const edit = { url: request.url, lists: webhookListsFromProto(request.lists), isOn: request.on };
    const { webhookId } = request;
    const after = {
      ...(edit.url !== undefined && { host: hostOf(edit.url) }),
      ...(edit.lists !== undefined && { lists: edit.lists.join(' ') }),
      ...(edit.isOn !== undefined && { on: String(edit.isOn) }),
    };
    const webhook = await audit.act(
      context,
      { action: 'webhook.edit', teamId, object: webhookId, after },
      () => editWebhook(webhooks, teamId, webhookId, edit),
    );
    return { webhook: webhookToProto(webhook, webhooks.clock()) };
  };
}

/** Handles `ContentService.RotateWebhookSecret`. */
export function rotateWebhookSecretHandler({
  audit,
  webhooks,
}: Dependencies): Handlers['rotateWebhookSecret'] {
  return async (request, context) => {
    const teamId = administeredTeam(context, request);
    const { webhookId, overlapSeconds } = request;
    const overlapMs = overlapSeconds === undefined ? undefined : overlapSeconds * 1_000;
    const webhook = await audit.act(context, { action: 'webhook.rotate', teamId, object: webhookId }, () =>
      rotateWebhookSecret(webhooks, teamId, webhookId, overlapMs),
    );
    return { webhook: webhookToProto(webhook, webhooks.clock()), secret: webhook.secret };
  };
}

/** Handles `ContentService.ReplayWebhook`. */
export function replayWebhookHandler({ audit, webhooks }: Dependencies): Handlers['replayWebhook'] {
  return async (request, context) => {
    const teamId = administeredTeam(context, request);
    const start = replayStartFromProto(request);
    const { webhookId } = request;
    const webhook = await audit.act(context, { action: 'webhook.replay', teamId, object: webhookId }, () =>
      replayWebhook(webhooks, teamId, webhookId, start),
    );
    return { webhook: webhookToProto(webhook, webhooks.clock()) };
  };
}

/** Handles `ContentService.RemoveWebhook`. */
export function removeWebhookHandler({ audit, webhooks }: Dependencies): Handlers['removeWebhook'] {
  return async (request, context) => {
    const teamId = administeredTeam(context, request);
    const { webhookId } = request;
    await audit.act(context, { action: 'webhook.remove', teamId, object: webhookId }, () =>
      removeWebhook(webhooks, teamId, webhookId),
    );
    return {};
  };
}

/** Handles `ContentService.TestWebhook`. */
export function testWebhookHandler({ audit, webhooks }: Dependencies): Handlers['testWebhook'] {
  return async (request, context) => {
    const teamId = administeredTeam(context, request);
    const { webhookId } = request;
    const { outcome, text } = await audit.act(
      context,
      { action: 'webhook.test', teamId, object: webhookId },
      () => testWebhook(webhooks, teamId, webhookId, context.signal),
      ({ outcome }) => ({ after: { result: outcome } }),
    );
    return { delivered: outcome === 'delivered', result: text };
  };
}

/** The rest of a URL may be a secret. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}
