import type { Access } from '@teammemory/vocabulary/access.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';

/** The member behind a key. */
export interface Caller {
  /** UUID of the team. */
  teamId: string;
  teamSlug: string;
  /** UUID of the member. */
  memberId: string;
  memberHandle: string;
  tier: Tier;
  /** What the key may do. */
  access: Access;
  /** 16 characters; rate limits count per key. */
  keyId: string;
  /** Whether the member looks after the team and the key may do so. Absent: no. */
  isTeamAdministrator?: true;
}

/**
 * What a service can be allowed, a closed set; docs/calling-rpcs.md says what each
 * opens. As it stands it opens all teams; `feed:read@<team id>` opens one. Services of a version before that do not know
 * the longer form, and refuse it.
 */
export const scopes = ['auth:read', 'feed:read', 'search:read'] as const;

export type Scope = (typeof scopes)[number];

/**
 * Who makes a call: a member, a service with the scopes it was given, or an
 * administrator of the installation, by the name of the operator or, for the token that the installation was set up
 * with, `bootstrap`. A member is `direct` who exchanged a key
 * for the token instead of coming through the gateway, which counts writes, and
 * a service that exchanged a credential, which is none of the installation's parts.
 */
export type Principal =
  | { kind: 'member'; caller: Caller; direct?: true }
  | { kind: 'service'; name: string; scopes: readonly string[]; direct?: true }
  | { kind: 'administrator'; name: string };
