import { createHash } from 'node:crypto';

/** What is audited. A name that was ever written keeps its meaning. */
export const auditActions = [
  'team.create',
  'member.add',
  'member.remove',
  'member.role',
  'member.erase',
  'key.create',
  'key.revoke',
  'key.rotate',
  'operator.create',
  'operator.revoke',
  'service_credential.create',
  'service_credential.revoke',
  'sign_in_address.add',
  'sign_in_address.remove',
  'sign_in_link.create',
  'invitation.create',
  'invitation.revoke',
  'invitation.take',
  'app.connect',
  'app.retry',
  'session.open',
  'session.end',
  'decision.create',
  'decision.edit',
  'decision.remove',
  'project.create',
  'project.remove',
  'project.rename',
  'proposal.accept',
  'proposal.decline',
  'item.remove',
  'item.erase',
  'webhook.create',
  'webhook.edit',
  'webhook.remove',
  'webhook.replay',
  'webhook.rotate',
  'webhook.test',
  'import',
  'export',
  'backup',
  'restore',
  'call',
  'audit.prune',
] as const;

export type AuditAction = (typeof auditActions)[number];

const othersOnFullDisk: readonly AuditAction[] = ['backup', 'export', 'member.role', 'audit.prune'];

/** How much of the space that is kept for a full disk an entry may use. */
export type ReserveUse = 'none' | 'part' | 'whole';

/**
 * Returns what the entry of an act may use on a full disk: acts must be possible that take rights or data away, or copy the
 * data to another disk. What members can do as often as they have items leaves a part for the others.
 */
export function reserveFor(action: AuditAction): ReserveUse {
  if (/^(?:item|decision|project)\.(?:remove|erase)$/.test(action)) return 'part';
  const isPossible = othersOnFullDisk.includes(action) || /\.(?:remove|revoke|end|erase)$/.test(action);
  return isPossible ? 'whole' : 'none';
}

/** How an act stands: it begins, and then it is done or it failed. `refused`: nothing was done. */
const auditOutcomes = ['begun', 'done', 'failed', 'refused'] as const;

export type AuditOutcome = (typeof auditOutcomes)[number];

const auditActorKinds = ['administrator', 'member', 'service', 'anonymous'] as const;

/** Who acts. */
export interface AuditActor {
  kind: (typeof auditActorKinds)[number];
  /** An operator's or a service's name, or a member's handle; empty for somebody who is not known. */
  name: string;
  /** Slug of the member's team. */
  team?: string;
  /** Of the member's key. */
  keyId?: string;
}

/** Harmless facts about what an act changes, by name: never a secret, never text of the team. */
export type AuditDetails = Readonly<Record<string, string>>;

/** An entry before it has its place in the log. */
export interface AuditDraft {
  /** UUID of the team that is concerned; null: none, or not one alone. */
  teamId: string | null;
  actor: AuditActor;
  action: AuditAction;
  /** What is acted on: an id, a handle, a row_key. */
  object: string;
  outcome: AuditOutcome;
  /** For `done` and `failed`: the sequence of the entry that told that the act began. */
  begun: number | null;
  /** For `failed` and `refused`: the code of the error. */
  code: string | null;
  /** What it was before, where that is known and harmless. */
  before: AuditDetails;
  /** What the act makes of it. */
  after: AuditDetails;
  /** IP address of the client. */
  address: string;
  requestId: string;
}

/** An entry of the log. */
export interface AuditEntry extends AuditDraft {
  /** 1, 2, 3, … without holes. */
  sequence: number;
  /** Milliseconds since the epoch. */
  at: number;
}

/** An entry as it is stored: its text, and what the text is found by. */
export interface StoredAuditEntry {
  sequence: number;
  at: number;
  teamId: string | null;
  /** As `actorName` returns it. */
  actor: string;
  /** The entry as JSON, by `textOf`. */
  text: string;
  /** By `hashOf`, 64 lower-case hex digits. */
  hash: string;
}

/** The hash before that of the first entry. */
export const genesisHash = '0'.repeat(64);

const maxObjectCharacters = 1_100;
const maxNameCharacters = 200;
const maxDetails = 20;
const maxDetailCharacters = 300;

/**
 * Returns the hash of an entry: SHA-256, as lower-case hex, of the hash of the entry before it, a line feed, and the text
 * of the entry in UTF-8. So no entry can be changed, removed or put in without changing the hash of every later one.
 */
export function hashOf(previousHash: string, text: string): string {
  return createHash('sha256').update(`${previousHash}\n${text}`).digest('hex');
}

/** The name of an actor, as entries are searched by it: `administrator:mara`, `member:rivers/ada`, `anonymous`. */
export function actorName({ kind, name, team }: AuditActor): string {
  if (name === '') return kind;
  return team === undefined ? `${kind}:${name}` : `${kind}:${team}/${name}`;
}

/** Returns the entry with its place, bounded, with its hash. */
export function storedEntry(
  draft: AuditDraft,
  { sequence, at, previousHash }: { sequence: number; at: number; previousHash: string },
): StoredAuditEntry {
  const text = textOf({ ...draft, sequence, at });
  const { teamId, actor } = entryFrom(text);
  return { sequence, at, teamId, actor: actorName(actor), text, hash: hashOf(previousHash, text) };
}

/** Returns the JSON of an entry, with texts that are too long cut. */
function textOf({ sequence, at, actor, ...draft }: AuditEntry): string {
  return JSON.stringify({
    sequence,
    at: new Date(at).toISOString(),
    team_id: draft.teamId,
    actor: {
      kind: actor.kind,
      name: cut(actor.name, maxNameCharacters),
      ...(actor.team !== undefined && { team: actor.team }),
      ...(actor.keyId !== undefined && { key_id: actor.keyId }),
    },
    action: draft.action,
    object: cut(draft.object, maxObjectCharacters),
    outcome: draft.outcome,
    begun: draft.begun,
    code: draft.code,
    before: bounded(draft.before),
    after: bounded(draft.after),
    address: cut(draft.address, maxNameCharacters),
    request_id: cut(draft.requestId, maxNameCharacters),
  });
}

/** Reads the text of an entry back. Throws SyntaxError for what is none. */
export function entryFrom(text: string): AuditEntry {
  const { team_id, at, actor, request_id, ...rest } = JSON.parse(text);
  return {
    ...rest,
    at: Date.parse(at),
    teamId: team_id,
    actor: {
      kind: actor.kind,
      name: actor.name,
      ...(actor.team !== undefined && { team: actor.team }),
      ...(actor.key_id !== undefined && { keyId: actor.key_id }),
    },
    requestId: request_id,
  };
}

function bounded(details: AuditDetails): AuditDetails {
  const entries = Object.entries(details).slice(0, maxDetails);
  return Object.fromEntries(entries.map(([name, value]) => [name, cut(value, maxDetailCharacters)]));
}

/**
 * Keys, credentials, tokens and secrets of webhooks. Somebody may paste one where its id or a name is asked for, and the log
 * keeps what it has.
 */
const secrets = /\b(?:tms[a-z]?_[0-9A-Za-z]{16}_|tms_admin_|whsec_)[0-9A-Za-z+/=_-]+/g;

function cut(whole: string, maxCharacters: number): string {
  const text = whole.replace(secrets, '[secret]');
  // By code units: JSON escapes half of a pair, so nothing is lost or malformed.
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1)}…`;
}
