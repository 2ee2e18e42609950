import type { Key } from './keys.ts';
import type { MemberStore } from './members.ts';

/** What decides whether a key may administer its team. */
export type AdministratorKey = Pick<Key, 'teamId' | 'memberId' | 'memberHandle' | 'tier' | 'access' | 'app'>;

/**
 * Whether a key may administer its team: it is of tier team, may write, and its member has the role admin now. A key that
 * was handed to a guest or an agent for less must not make other keys, and an app only reads and writes texts.
 */
export async function isTeamAdministrator(
  members: Pick<MemberStore, 'findByHandle'>,
  { teamId, memberId, memberHandle, tier, access, app }: AdministratorKey,
): Promise<boolean> {
  if (tier !== 'team' || access !== 'write' || app !== undefined) return false;
  const member = await members.findByHandle(teamId, memberHandle);
  // A handle may have been given to another member since.
  return member?.memberId === memberId && member.role === 'admin';
}
