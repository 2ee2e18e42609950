import type { ServiceImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { pageSizeFromProto } from '@teammemory/rpc/request-fields.ts';
import type { Audit } from '@teammemory/rpc/server/audit-handlers.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import type { Members } from '../domain/members.ts';
import type { SignInAddresses } from '../domain/sign-in-addresses.ts';
import type { Teams } from '../domain/teams.ts';
import { administeredTeam } from './administered-team.ts';
import { signInAddressToProto } from './auth-proto.ts';
import { nextPageTokenToProto, pageTokenFromProto } from './page-token.ts';

type Handlers = ServiceImpl<typeof AuthService>;

interface Dependencies {
  audit: Audit;
  teams: Teams;
  members: Members;
  addresses: SignInAddresses;
}

/** Handles `AddSignInAddress`. */
export function addSignInAddressHandler({
  audit,
  teams,
  members,
  addresses,
}: Dependencies): Handlers['addSignInAddress'] {
  return async ({ teamSlug, address, memberHandle }, context) => {
    const { teamId } = await administeredTeam(teams, context, teamSlug);
    const member = await members.get(teamId, memberHandle);
    const added = await audit.act(
      context,
      { action: 'sign_in_address.add', teamId, object: address, after: { member: member.handle } },
      () => addresses.add(teamId, member, address),
    );
    return { signInAddress: signInAddressToProto(added) };
  };
}

/** Handles `RemoveSignInAddress`. */
export function removeSignInAddressHandler({
  audit,
  teams,
  addresses,
}: Dependencies): Handlers['removeSignInAddress'] {
  return async ({ teamSlug, address }, context) => {
    const { teamId } = await administeredTeam(teams, context, teamSlug);
    await audit.act(context, { action: 'sign_in_address.remove', teamId, object: address }, () =>
      addresses.remove(teamId, address),
    );
    return {};
  };
}

/** Handles `ListSignInAddresses`. */
export function listSignInAddressesHandler({
  teams,
  addresses,
}: Dependencies): Handlers['listSignInAddresses'] {
  return async (request, context) => {
    const { teamId } = await administeredTeam(teams, context, request.teamSlug);
    const list = `addresses/${teamId}`;
    const afterAddress = pageTokenFromProto(list, request.pageToken);
    const page = await addresses.list(teamId, afterAddress, pageSizeFromProto(request.pageSize, maxPageRows));
    return {
      signInAddresses: page.rows.map(signInAddressToProto),
      nextPageToken: nextPageTokenToProto(list, page, ({ address }) => address),
    };
  };
}
