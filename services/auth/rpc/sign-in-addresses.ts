import type { MethodImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { pageSizeFromProto } from '@teammemory/rpc/page-size.ts';
import type { Audit } from '@teammemory/rpc/server/audit-handlers.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import type { Members } from '../domain/members.ts';
import type { SignInAddresses } from '../domain/sign-in-addresses.ts';
import type { Teams } from '../domain/teams.ts';
import { administeredTeam } from './administered-team.ts';
import { signInAddressToProto } from './auth-proto.ts';
import { nextPageTokenToProto, pageTokenFromProto } from './page-token.ts';

/** Handles `AddSignInAddress`. */
export function addSignInAddressHandler(dependencies: {
  audit: Audit;
  teams: Teams;
  members: Members;
  addresses: SignInAddresses;
}): MethodImpl<typeof AuthService.method.addSignInAddress> {
  return async ({ teamSlug, address, memberHandle }, context) => {
    const { teamId } = await administeredTeam(dependencies.teams, context, teamSlug);
    const member = await dependencies.members.get(teamId, memberHandle);
    const added = await dependencies.audit.act(
      context,
      { action: 'sign_in_address.add', teamId, object: address, after: { member: member.handle } },
      () => dependencies.addresses.add(teamId, member, address),
    );
    return { signInAddress: signInAddressToProto(added) };
  };
}

/** Handles `RemoveSignInAddress`. */
export function removeSignInAddressHandler(dependencies: {
  audit: Audit;
  teams: Teams;
  addresses: SignInAddresses;
}): MethodImpl<typeof AuthService.method.removeSignInAddress> {
  return async ({ teamSlug, address }, context) => {
    const { teamId } = await administeredTeam(dependencies.teams, context, teamSlug);
    await dependencies.audit.act(context, { action: 'sign_in_address.remove', teamId, object: address }, () =>
      dependencies.addresses.remove(teamId, address),
    );
    return {};
  };
}

/** Handles `ListSignInAddresses`. */
export function listSignInAddressesHandler(dependencies: {
  teams: Teams;
  addresses: SignInAddresses;
}): MethodImpl<typeof AuthService.method.listSignInAddresses> {
  return async (request, context) => {
    const { teamId } = await administeredTeam(dependencies.teams, context, request.teamSlug);
    const list = `addresses/${teamId}`;
    const afterAddress = pageTokenFromProto(list, request.pageToken);
    const page = await dependencies.addresses.list(
      teamId,
      afterAddress,
      pageSizeFromProto(request.pageSize, maxPageRows),
    );
    return {
      signInAddresses: page.rows.map(signInAddressToProto),
      nextPageToken: nextPageTokenToProto(list, page, ({ address }) => address),
    };
  };
}
