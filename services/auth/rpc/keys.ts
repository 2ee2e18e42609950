import type { ServiceImpl } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireTeamAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import { pageSizeFromProto } from '@teammemory/rpc/request-fields.ts';
import type { Audit } from '@teammemory/rpc/server/audit-handlers.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import { defaultOverlapMs, type Key, type Keys } from '../domain/keys.ts';
import { type Members, normalizedHandle } from '../domain/members.ts';
import type { Teams } from '../domain/teams.ts';
import { requireKeyHolder, requireKeyOwner, teamOf } from './administered-team.ts';
import { noteEndedApp } from './apps.ts';
import { accessFromProto, keyToProto, optionalTimestampFromProto, tierFromProto } from './auth-proto.ts';
import {
  keyPositionFromProto,
  keyPositionToProto,
  nextPageTokenToProto,
  pageTokenFromProto,
} from './page-token.ts';

type Handlers = ServiceImpl<typeof AuthService>;

interface Dependencies {
  audit: Audit;
  teams: Teams;
  members: Members;
  keys: Keys;
}

/** Handles `CreateKey`. */
export function createKeyHandler({ audit, teams, members, keys }: Dependencies): Handlers['createKey'] {
  return async (request, context) => {
    const { administers, caller } = requireKeyHolder(context);
    const team = await teamOf(teams, caller, request.teamSlug);
    const isOwn = normalizedHandle(request.memberHandle) === caller?.memberHandle;
    if (!administers && !isOwn) throw forAdministrators('make keys of others');
    const wanted = {
      tier: tierFromProto(request.tier),
      access: accessFromProto(request.access),
      expiresAt: optionalTimestampFromProto(request.expiresAt),
    };
    const itemWritesPerMinute = request.itemWritesPerMinute ?? null;
    if (!administers && itemWritesPerMinute !== null) throw forAdministrators('set the limit of a key');
    const member = await members.get(team.teamId, request.memberHandle);
    const { key, text } = await audit.act(
      context,
      { action: 'key.create', teamId: team.teamId, object: '', after: { member: member.handle } },
      () =>
        caller === undefined || administers
          ? keys.create({ team, member, ...wanted, itemWritesPerMinute })
          : keys.createOwn({ team, member, ...wanted }, caller.keyId),
      ({ key }) => ({ object: key.keyId, after: factsOf(key) }),
    );
    return { key: keyToProto(key), secretKey: text };
  };
}

/** Handles `RevokeKey`. */
export function revokeKeyHandler({ keys, audit }: Dependencies): Handlers['revokeKey'] {
  return async (request, context) => {
    const { owners } = requireKeyOwner(context);
    const { teamId } = owners;
    const { key, apps } = await audit.act(
      context,
      { action: 'key.revoke', object: request.keyId, ...(teamId !== undefined && { teamId }) },
      () => keys.revoke(request.keyId, owners),
      (revoked) => ({ teamId: revoked.key.teamId, after: { member: revoked.key.memberHandle } }),
    );
    for (const app of apps) await noteEndedApp(audit, context, { key: app, by: 'maker' });
    return { key: keyToProto(key) };
  };
}

/** Handles `RotateKey`. */
export function rotateKeyHandler({ keys, audit }: Dependencies): Handlers['rotateKey'] {
  return async ({ keyId, overlapSeconds }, context) => {
    const administrator = requireTeamAdministrator(context);
    const overlapMs = overlapSeconds === undefined ? defaultOverlapMs : overlapSeconds * 1000;
    const ofTeam = administrator?.teamId;
    const rotated = await audit.act(
      context,
      { action: 'key.rotate', object: keyId, ...(ofTeam !== undefined && { teamId: ofTeam }) },
      () => keys.rotate(keyId, { overlapMs, of: { teamId: ofTeam } }),
      ({ key }) => ({ teamId: key.teamId, after: { new_key_id: key.keyId, ...factsOf(key) } }),
    );
    return {
      key: keyToProto(rotated.key),
      secretKey: rotated.text,
      replaced: keyToProto(rotated.replaced),
    };
  };
}

/** What the audit log tells of a key: what it may do, and whose it is. */
function factsOf(key: Key): Record<string, string> {
  return {
    member: key.memberHandle,
    tier: key.tier,
    access: key.access,
    item_writes_per_minute: String(key.itemWritesPerMinute ?? 'default'),
    expires_at: key.expiresAt === null ? 'never' : new Date(key.expiresAt).toISOString(),
  };
}

/** Handles `ListKeys`. */
export function listKeysHandler({ teams, members, keys }: Dependencies): Handlers['listKeys'] {
  return async (request, context) => {
    const { owners, caller } = requireKeyOwner(context);
    const { teamId } = await teamOf(teams, caller, request.teamSlug);
    const memberId = owners.memberId ?? (await memberIdOf(members, teamId, request.memberHandle));
    const list = `keys/${teamId}`;
    const after = keyPositionFromProto(pageTokenFromProto(list, request.pageToken));
    const pageSize = pageSizeFromProto(request.pageSize, maxPageRows);
    const { makerKeyId } = owners;
    const page = await keys.list({ teamId, memberId, makerKeyId }, after, pageSize);
    return {
      keys: page.rows.map(keyToProto),
      nextPageToken: nextPageTokenToProto(list, page, keyPositionToProto),
    };
  };
}

/** The id of the member with a handle; undefined for the empty one, which stands for everybody. */
async function memberIdOf(members: Members, teamId: string, handle: string): Promise<string | undefined> {
  return handle === '' ? undefined : (await members.get(teamId, handle)).memberId;
}

function forAdministrators(what: string): AppError {
  return new AppError('permission_denied', `Only administrators ${what}.`);
}
