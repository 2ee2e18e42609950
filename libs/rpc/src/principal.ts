/** Which rows a caller sees: team-tier keys see both tiers, external keys see external rows only. */
export type Tier = 'team' | 'external';

/** The member behind a key. */
export interface Caller {
  /** UUID of the team. */
  teamId: string;
  teamSlug: string;
  /** UUID of the member. */
  memberId: string;
  memberHandle: string;
  tier: Tier;
  /** 16 characters; rate limits count per key. */
  keyId: string;
}

/**
 * Who makes a call: a member through the gateway, another service of ours with
 * the scopes it was given, or an administrator of the installation.
 */
export type Principal =
  | { kind: 'member'; caller: Caller }
  | { kind: 'service'; name: string; scopes: readonly string[] }
  | { kind: 'administrator' };
