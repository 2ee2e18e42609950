import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Invitation, Key, Member, Refusal, SignInAddress } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { SkippedText } from '@teammemory/proto/content/v1/content_pb.ts';
import type { Rating } from '@teammemory/proto/query/v1/query_pb.ts';
import { everyPage } from '../../data/every-page.ts';
import { rpc } from '../../service/rpc.ts';
import { session } from '../../service/session.ts';

const pageRows = 200;
/** The most ratings that a page has. */
const ratingsPage = 100;

/** Slug of the team that the page is about. */
export function ownTeam(): string {
  return session.value?.team ?? '';
}

/** Reads the members of the team, by handle. */
export function loadMembers(signal: AbortSignal): Promise<Member[]> {
  return everyPage(
    (pageToken) => rpc.auth.listMembers({ teamSlug: ownTeam(), pageSize: pageRows, pageToken }, { signal }),
    ({ members }) => members,
  );
}

/** Reads the keys of the team, newest first. */
export function loadKeys(signal: AbortSignal): Promise<Key[]> {
  return keysOf('', signal);
}

/** Reads the keys of who is signed in, newest first. */
export function loadOwnKeys(signal: AbortSignal): Promise<Key[]> {
  return keysOf(session.value?.member ?? '', signal);
}

async function keysOf(memberHandle: string, signal: AbortSignal): Promise<Key[]> {
  const oldestFirst = await everyPage(
    (pageToken) =>
      rpc.auth.listKeys({ teamSlug: ownTeam(), memberHandle, pageSize: pageRows, pageToken }, { signal }),
    ({ keys }) => keys,
  );
  return oldestFirst.reverse();
}

/** Reads the sign-in addresses of the team. */
export function loadAddresses(signal: AbortSignal): Promise<SignInAddress[]> {
  return everyPage(
    (pageToken) =>
      rpc.auth.listSignInAddresses({ teamSlug: ownTeam(), pageSize: pageRows, pageToken }, { signal }),
    ({ signInAddresses }) => signInAddresses,
  );
}

/** Reads the open invitations of the team, newest first. */
export async function loadInvitations(signal: AbortSignal): Promise<Invitation[]> {
  return (await rpc.auth.listInvitations({ teamSlug: ownTeam() }, { signal })).invitations;
}

/** Reads the last refusals: for administrators those of the team, for other members their own. */
export async function loadRefusals(signal: AbortSignal): Promise<Refusal[]> {
  return (await rpc.auth.listRefusals({ teamSlug: ownTeam() }, { signal })).refusals;
}

/** Reads the texts of which no tasks were made, or not all. */
export function loadSkippedTexts(signal: AbortSignal): Promise<SkippedText[]> {
  return everyPage(
    (pageToken) => rpc.content.listSkippedTexts({ pageSize: pageRows, pageToken }, { signal }),
    ({ texts }) => texts,
  );
}

/** Reads what members said of answers, newest first. */
export function loadRatings(signal: AbortSignal): Promise<Rating[]> {
  return everyPage(
    (pageToken) => rpc.query.listRatings({ pageSize: ratingsPage, pageToken }, { signal }),
    ({ ratings }) => ratings,
  );
}

/** What has become of a key. */
export type KeyState = 'valid' | 'ends soon' | 'expired' | 'revoked';

/** Within this time of its end, a key is due to be replaced. */
const soonMs = 7 * 24 * 60 * 60 * 1000;

/** Returns the state of a key at `now`, in milliseconds since the epoch. */
export function stateOf({ revokedAt, expiresAt }: Key, now: number): KeyState {
  if (revokedAt !== undefined) return 'revoked';
  if (expiresAt === undefined) return 'valid';
  const leftMs = timestampDate(expiresAt).getTime() - now;
  if (leftMs <= 0) return 'expired';
  return leftMs < soonMs ? 'ends soon' : 'valid';
}

/** Whether a key still works. */
export function isValid(key: Key, now: number): boolean {
  return !['expired', 'revoked'].includes(stateOf(key, now));
}
