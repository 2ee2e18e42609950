import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { AuthService, IssueAppTokensRequest } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireGateway, requireGatewayCaller } from '@teammemory/rpc/auth/caller-context.ts';
import type { Audit } from '@teammemory/rpc/server/audit-handlers.ts';
import type { AppGrant, Apps } from '../domain/apps.ts';
import type { Key, Keys } from '../domain/keys.ts';
import type { RegisteredApps } from '../domain/registered-apps.ts';
import { invalidRequest } from '../domain/request-rules.ts';
import { accessFromProto, keyToProto, protoAccess } from './auth-proto.ts';

type Handlers = ServiceImpl<typeof AuthService>;

interface Dependencies {
  apps: Apps;
  keys: Pick<Keys, 'revokeApp'>;
  registered: Pick<RegisteredApps, 'use'>;
  audit: Audit;
}

/** Handles `ConnectApp`. */
export function connectAppHandler({ apps, registered, audit }: Dependencies): Handlers['connectApp'] {
  return async (request, context) => {
    const owner = requireGatewayCaller(context);
    const { clientId, redirectUri, codeChallenge, resource, lifetimeSeconds } = request;
    const access = accessFromProto(request.access) ?? 'read';
    const wanted = { owner, clientId, redirectUri, codeChallenge, resource, access };
    const facts = { member: owner.memberHandle, client_id: clientId, resource, tier: owner.tier, access };
    const { key, code } = await audit.act(
      context,
      { action: 'app.connect', teamId: owner.teamId, object: '', after: facts },
      () => apps.connect({ ...wanted, lifetimeMs: lifetimeSeconds * 1000 }),
      ({ key, endsAt }) => ({
        object: key.keyId,
        after: { ...facts, expires_at: new Date(endsAt).toISOString() },
      }),
    );
    await registered.use(clientId, owner.memberId);
    return { key: keyToProto(key), code };
  };
}

/** Handles `IssueAppTokens`. */
export function issueAppTokensHandler({ apps, keys, audit }: Dependencies): Handlers['issueAppTokens'] {
  return async (request, context) => {
    requireGateway(context);
    const { clientId, resource } = request;
    const app = { clientId, resource: resource || undefined };
    const issued = await apps.issue(app, grantFromProto(request), {
      onReuse: (key) => endApp({ keys, audit }, context, { key, by: 'reuse' }),
      onRetry: (key) => note(audit, context, { action: 'app.retry', key }),
    });
    const { key, accessToken, expiresAt, refreshToken } = issued;
    return {
      accessToken,
      expiresAt: timestampFromMs(expiresAt),
      refreshToken,
      access: protoAccess[key.access],
    };
  };
}

/** Handles `RevokeAppToken`. */
export function revokeAppTokenHandler({ apps, keys, audit }: Dependencies): Handlers['revokeAppToken'] {
  return async ({ clientId, token }, context) => {
    requireGateway(context);
    const key = await apps.find(clientId, token);
    if (key !== undefined) await endApp({ keys, audit }, context, { key, by: 'app' });
    return {};
  };
}

/** Revokes the key of an app. Of those who do so at the same time one notes it. */
async function endApp(
  { keys, audit }: Pick<Dependencies, 'keys' | 'audit'>,
  context: HandlerContext,
  { key, by }: { key: Key; by: 'app' | 'reuse' },
): Promise<void> {
  if (await keys.revokeApp(key)) await noteEndedApp(audit, context, { key, by });
}

/** Notes that the key of an app was revoked: only then it is known that this call revoked it. */
export function noteEndedApp(
  audit: Audit,
  context: HandlerContext,
  { key, by }: { key: Key; by: 'app' | 'maker' | 'reuse' },
): Promise<void> {
  return note(audit, context, { action: 'key.revoke', key, by });
}

async function note(
  audit: Audit,
  context: HandlerContext,
  { action, key, by }: { action: 'app.retry' | 'key.revoke'; key: Key; by?: string },
): Promise<void> {
  const after = { member: key.memberHandle, ...(by !== undefined && { by }) };
  await audit.act(context, { action, teamId: key.teamId, object: key.keyId, after }, async () => undefined);
}

function grantFromProto({ grant }: IssueAppTokensRequest): AppGrant {
  if (grant.case === 'refreshToken') return { kind: 'refresh', text: grant.value };
  if (grant.case === 'code') {
    const { code: text, redirectUri, codeVerifier } = grant.value;
    return { kind: 'code', text, redirectUri, codeVerifier };
  }
  throw invalidRequest('/grant', 'must be a code or a refresh token');
}
