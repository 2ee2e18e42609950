import type { HandlerContext, MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireTeamAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
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
import { teamIdFromProto } from './team-principal.ts';
import {
  replayStartFromProto,
  webhookDraftFromProto,
  webhookListsFromProto,
  webhookToProto,
} from './webhook-proto.ts';

/**
 * Returns the team whose webhooks a call is about: that of a team's administrator whatever the message says, or the one that
 * an administrator of the installation names.
 * @throws AppError `unauthenticated`, `permission_denied`, `invalid_request` if an administrator names no team.
 */
function administeredTeam(context: Pick<HandlerContext, 'values'>, named: { teamId: string }): string {
  const caller = requireTeamAdministrator(context);
  return caller?.teamId ?? teamIdFromProto(named.teamId);
}

/** Handles `ContentService.CreateWebhook`. */
export function createWebhookHandler(
  dependencies: WebhookDependencies,
): MethodImpl<typeof ContentService.method.createWebhook> {
  return async (request, context) => {
    const caller = requireTeamAdministrator(context);
    const teamId = administeredTeam(context, request);
    const draft = webhookDraftFromProto(request, caller?.teamSlug ?? request.teamSlug);
    const webhook = await createWebhook(dependencies, teamId, draft);
    return { webhook: webhookToProto(webhook, dependencies.clock()), secret: webhook.secret };
  };
}

/** Handles `ContentService.ListWebhooks`. */
export function listWebhooksHandler(
  dependencies: WebhookDependencies,
): MethodImpl<typeof ContentService.method.listWebhooks> {
  return async (request, context) => {
    const teamId = administeredTeam(context, request);
    const webhooks = await listWebhooks(dependencies, teamId);
    return { webhooks: webhooks.map((webhook) => webhookToProto(webhook, dependencies.clock())) };
  };
}

/** Handles `ContentService.EditWebhook`. */
export function editWebhookHandler(
  dependencies: WebhookDependencies,
): MethodImpl<typeof ContentService.method.editWebhook> {
  return async (request, context) => {
    const teamId = administeredTeam(context, request);
    const edit = { url: request.url, lists: webhookListsFromProto(request.lists), isOn: request.on };
    const webhook = await editWebhook(dependencies, teamId, request.webhookId, edit);
    return { webhook: webhookToProto(webhook, dependencies.clock()) };
  };
}

/** Handles `ContentService.RotateWebhookSecret`. */
export function rotateWebhookSecretHandler(
  dependencies: WebhookDependencies,
): MethodImpl<typeof ContentService.method.rotateWebhookSecret> {
  return async (request, context) => {
    const teamId = administeredTeam(context, request);
    const { webhookId, overlapSeconds } = request;
    const overlapMs = overlapSeconds === undefined ? undefined : overlapSeconds * 1_000;
    const webhook = await rotateWebhookSecret(dependencies, teamId, webhookId, overlapMs);
    return { webhook: webhookToProto(webhook, dependencies.clock()), secret: webhook.secret };
  };
}

/** Handles `ContentService.ReplayWebhook`. */
export function replayWebhookHandler(
  dependencies: WebhookDependencies,
): MethodImpl<typeof ContentService.method.replayWebhook> {
  return async (request, context) => {
    const teamId = administeredTeam(context, request);
    const start = replayStartFromProto(request);
    const webhook = await replayWebhook(dependencies, teamId, request.webhookId, start);
    return { webhook: webhookToProto(webhook, dependencies.clock()) };
  };
}

/** Handles `ContentService.RemoveWebhook`. */
export function removeWebhookHandler(
  dependencies: WebhookDependencies,
): MethodImpl<typeof ContentService.method.removeWebhook> {
  return async (request, context) => {
    const teamId = administeredTeam(context, request);
    await removeWebhook(dependencies, teamId, request.webhookId);
    return {};
  };
}

/** Handles `ContentService.TestWebhook`. */
export function testWebhookHandler(
  dependencies: WebhookDependencies,
): MethodImpl<typeof ContentService.method.testWebhook> {
  return async (request, context) => {
    const teamId = administeredTeam(context, request);
    const { outcome, text } = await testWebhook(dependencies, teamId, request.webhookId, context.signal);
    return { delivered: outcome === 'delivered', result: text };
  };
}
