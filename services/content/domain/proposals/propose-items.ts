import { randomUUIDv7 } from 'node:crypto';
import type { SecretFinder } from '@teammemory/vocabulary/secret-scan.ts';
import type { FeedRowState } from '../feed/feed-row.ts';
import type { FeedStore } from '../feed/feed-store.ts';
import type { ItemAuthor, ItemDraft, ItemRefusal } from '../items/item.ts';
import {
  bringsSecrets,
  type Candidate,
  judgePush,
  lookUpSecrets,
  type PushPlan,
  type PushResult,
  sortBatch,
} from '../items/push-items.ts';
import {
  maxWaiting,
  type Proposal,
  type ProposalStore,
  type Proposer,
  type WaitingProposal,
} from './proposal.ts';

/** Who proposes items, and with which key. */
export type ItemProposer = ItemAuthor & { memberId: string; keyId: string };

interface Dependencies {
  items: FeedStore;
  proposals: ProposalStore;
  findSecrets?: SecretFinder;
}

/** Why an item is not proposed. */
export interface ProposalRefusal extends Omit<ItemRefusal, 'code'> {
  /** `declined`: a reviewer declined the same text of the same member. */
  code: ItemRefusal['code'] | 'declined';
}

/** One for each item that is not proposed, in order. */
type Refusals = { index: number; refusal: ProposalRefusal }[];

/** What became of the items of one row_key. */
interface Judged {
  rowKey: string;
  /** The last good item, with the checksum that it is to replace; undefined if nothing new is proposed. */
  last?: { candidate: Candidate; baseChecksum: string | null | undefined };
  /** Indexes of all items, of the good ones, and of those that wait already. */
  all: number[];
  good: number[];
  known: number[];
  refusals: Refusals;
}

const queueFull: ItemRefusal = {
  code: 'quota_exceeded',
  detail: `No more than ${maxWaiting.texts} proposals of a member wait, with ${maxWaiting.bytes} bytes.`,
};

/**
 * Judges a batch by what is stored and proposed now, and stores nothing. `proposed` counts the items that wait already.
 * @throws AppError as `planPush`.
 */
export async function planProposals(
  dependencies: Dependencies,
  teamId: string,
  by: ItemProposer,
  drafts: readonly ItemDraft[],
): Promise<Omit<PushPlan, 'refusals'> & { proposed: number; refusals: Refusals }> {
  const { judged, refusals } = await judgeBatch(dependencies, teamId, by, drafts);
  const written = judged.filter(({ last }) => last !== undefined);
  const settled = judged.filter(({ last }) => last === undefined);
  const pending = written.flatMap(({ all }) => all).sort((a, b) => a - b);
  refusals.push(...settled.flatMap((each) => each.refusals));
  refusals.sort((a, b) => a.index - b.index);
  return {
    accepted: drafts.length - pending.length - refusals.length,
    proposed: settled.reduce((sum, { known }) => sum + known.length, 0),
    written: written.length,
    pending,
    refusals,
  };
}

/**
 * Takes a batch into the queue, where it waits for a reviewer. Each item is judged as if it were pushed, over what is
 * stored; what the proposer has waiting is replaced. `proposed` counts the items that wait then.
 * @throws AppError as `pushItems`.
 */
export async function proposeItems(
  dependencies: Dependencies & { clock: () => number },
  teamId: string,
  by: ItemProposer,
  drafts: readonly ItemDraft[],
): Promise<Omit<PushResult, 'refusals'> & { proposed: number; refusals: Refusals }> {
  const { judged, refusals } = await judgeBatch(dependencies, teamId, by, drafts);
  const made = judged.flatMap(({ last }) => {
    const draft = last && drafts[last.candidate.index];
    return last && draft ? waitingProposal(last, draft, by, dependencies.clock()) : [];
  });
  const { proposals } = dependencies;
  const full =
    made.length === 0 ? new Set() : await proposals.propose(teamId, proposerOf(by), made, maxWaiting);
  let proposed = 0;
  for (const { rowKey, good, known, refusals: refused } of judged) {
    refusals.push(...refused);
    if (full.has(rowKey)) refusals.push(...good.map((index) => ({ index, refusal: queueFull })));
    else proposed += good.length;
    proposed += known.length;
  }
  refusals.sort((a, b) => a.index - b.index);
  return {
    accepted: drafts.length - refusals.length,
    proposed,
    written: made.length - full.size,
    refusals,
  };
}

async function judgeBatch(
  dependencies: Dependencies,
  teamId: string,
  by: ItemProposer,
  drafts: readonly ItemDraft[],
): Promise<{ judged: Judged[]; refusals: Refusals }> {
  const { items, refusals } = await sortBatch(dependencies, by, drafts);
  await lookUpSecrets(dependencies, teamId, by, items);
  const rowKeys = [...items.keys()];
  const stored = await dependencies.items.find(teamId, rowKeys);
  const waiting = await dependencies.proposals.waiting(teamId, proposerOf(by), rowKeys);
  const texts = [...items.values()].flat().map(({ item }) => item);
  const declined = await dependencies.proposals.declined(teamId, proposerOf(by), texts);
  const judged = [...items].map(([rowKey, candidates]) =>
    judgeRow(rowKey, candidates, by, {
      current: stored.get(rowKey),
      stored: waiting.get(rowKey),
      declined: declined.filter((each) => each.rowKey === rowKey),
    }),
  );
  return { judged, refusals };
}

/** What there is of one row_key: the item, what the proposer has waiting, and what of it was declined. */
interface Known {
  current: FeedRowState | undefined;
  stored: Proposal | undefined;
  declined: readonly Proposal[];
}

/**
 * Judges the items of one row_key in order. One that was edited from a proposal of the same proposer replaces what that
 * was made from, because nobody has stored the proposal.
 */
function judgeRow(
  rowKey: string,
  candidates: readonly Candidate[],
  by: ItemAuthor,
  { current, stored, declined }: Known,
): Judged {
  const judged: Judged = { rowKey, all: [], good: [], known: [], refusals: [] };
  let waiting: Pick<Proposal, 'checksum' | 'tier' | 'baseChecksum'> | undefined = stored;
  for (const candidate of candidates) {
    const { index, item } = candidate;
    judged.all.push(index);
    if (waiting?.checksum === item.checksum && waiting.tier === item.tier) {
      (judged.last === undefined ? judged.known : judged.good).push(index);
      continue;
    }
    const baseChecksum =
      waiting !== undefined && waiting.checksum === item.baseChecksum
        ? waiting.baseChecksum
        : item.baseChecksum;
    const verdict = judgePush({ ...item, baseChecksum }, by, current, bringsSecrets(candidate, current));
    if (verdict.kind === 'refused') judged.refusals.push({ index, refusal: verdict.refusal });
    if (verdict.kind !== 'write') continue;
    const answer = declined.find((each) => each.checksum === item.checksum && each.tier === item.tier);
    if (answer !== undefined) {
      judged.refusals.push({ index, refusal: declinedBefore(answer) });
      continue;
    }
    judged.good.push(index);
    // Until it is accepted others may write: what a push would replace now is all that it may replace then.
    const replaced = baseChecksum === undefined ? checksumOfLive(current) : baseChecksum;
    judged.last = { candidate, baseChecksum: replaced };
    waiting = { checksum: item.checksum, tier: item.tier, baseChecksum: replaced };
  }
  return judged;
}

function declinedBefore({ decision }: Proposal): ProposalRefusal {
  // Quoted, because agents read it.
  const reason = decision?.reason ? `: ${JSON.stringify(decision.reason)}` : '.';
  return { code: 'declined', detail: `A reviewer declined this text${reason}` };
}

function checksumOfLive(current: FeedRowState | undefined): string | null {
  return current === undefined || current.deleted ? null : current.checksum;
}

function waitingProposal(
  { candidate, baseChecksum }: NonNullable<Judged['last']>,
  draft: ItemDraft,
  by: ItemProposer,
  proposedAtMs: number,
): WaitingProposal {
  const { rowKey, tier, checksum, jsonHead, title } = candidate.item;
  return {
    proposalId: randomUUIDv7(),
    rowKey,
    tier,
    state: 'waiting',
    ...proposerOf(by),
    proposedBy: by.handle,
    keyId: by.keyId,
    proposedAtMs,
    title,
    checksum,
    baseChecksum,
    bytes: Buffer.byteLength(jsonHead),
    item: {
      ...draft,
      baseChecksum: baseChecksum ?? undefined,
      createOnly: baseChecksum === null,
    },
  };
}

function proposerOf({ memberId, tier }: ItemProposer): Proposer {
  return { memberId, byGuest: tier === 'external' };
}
