import { quoted } from '../framed-text.ts';
import { type Memory, MemoryError, type Proposal, type ProposedItem } from '../memory.ts';

// What agents whose key only proposes have to know of their proposals.

/** A page of proposals, and pages that are read. */
const [pageRows, maxPages] = [200, 5];

/** A proposal that a reviewer decided. */
export type DecidedProposal = Pick<
  Proposal,
  'proposal_id' | 'row_key' | 'state' | 'decided_by' | 'reason' | 'edited'
> & { decided_at: string };

/** Proposals that were decided, oldest first. */
export interface DecidedPage {
  rows: DecidedProposal[];
  /** RFC 3339: they were decided until then. */
  until: string;
  hasMore: boolean;
}

/** Whether what a memory is given waits for a reviewer. */
export function proposes({ holder: { access } }: Memory): boolean {
  return access === 'propose';
}

/**
 * Reads which proposals of the own member were decided after an instant, RFC 3339.
 * @throws MemoryError
 */
export async function readDecided(
  memory: Memory,
  { since, limit }: { since: string; limit: number },
  signal: AbortSignal,
): Promise<DecidedPage> {
  const found: DecidedProposal[] = [];
  for await (const proposal of newestFirst(memory, undefined, signal)) {
    const { decided_at } = proposal;
    // The list begins with the last change.
    if ((decided_at ?? proposal.proposed_at) <= since) break;
    if (decided_at !== null) found.push({ ...fieldsOf(proposal), decided_at });
  }
  const oldestFirst = found.toReversed();
  const last = oldestFirst[limit - 1]?.decided_at;
  const rows = last === undefined ? oldestFirst : oldestFirst.filter(({ decided_at }) => decided_at <= last);
  return { rows, until: rows.at(-1)?.decided_at ?? since, hasMore: rows.length < found.length };
}

function fieldsOf({ proposal_id, row_key, state, decided_by, reason, edited }: Proposal) {
  return { proposal_id, row_key, state, decided_by, reason, edited };
}

async function* newestFirst(
  memory: Memory,
  state: 'waiting' | undefined,
  signal: AbortSignal,
): AsyncGenerator<Proposal> {
  let cursor: string | undefined;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await memory.listProposals({ state, cursor, limit: pageRows }, { signal });
    yield* page.proposals;
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}

/** Returns what became of a proposal as one line of text. */
export function decidedLine({
  decided_at,
  row_key,
  state,
  decided_by,
  reason,
  edited,
}: DecidedProposal): string {
  return [
    `${decided_at} ${state}${edited ? ' with changes' : ''}: ${quoted(row_key)}`,
    ...(decided_by === null ? [] : [`by ${quoted(decided_by)}`]),
    ...(reason === null ? [] : [`because ${quoted(reason)}`]),
  ].join(' ');
}

/** Returns the item that waits as a proposal of the own member, so that a change of a part adds to it. */
export async function waitingItem(
  memory: Memory,
  rowKey: string,
  signal: AbortSignal,
): Promise<ProposedItem | undefined> {
  for await (const { proposal_id, row_key, proposed_by } of newestFirst(memory, 'waiting', signal)) {
    if (row_key !== rowKey || proposed_by !== memory.holder.member) continue;
    return (await memory.getProposal(proposal_id, { signal })).item ?? undefined;
  }
  return undefined;
}

/** @throws MemoryError `conflict` unless what waits was made from the version that is stored now. */
export function requireSameBase(
  { base_checksum: base }: ProposedItem,
  storedChecksum: string | undefined,
): void {
  if (base === undefined || base === (storedChecksum ?? null)) return;
  const told = 'It has changed since you proposed a change of it. Propose its whole content now.';
  throw new MemoryError('conflict', told, { currentChecksum: storedChecksum });
}
