import { signal } from '@preact/signals';
import { ProposalState } from '@teammemory/proto/content/v1/content_pb.ts';
import { rpc } from '../service/rpc.ts';
import { session } from '../service/session.ts';

/** Beyond this nobody counts. */
export const maxCountedProposals = 99;
/** Whoever goes from page to page is told by a count that is not older. */
const countedForMs = 60_000;

/** How many proposals wait for a reviewer, as far as they were counted; 0 until that is known. */
export const waitingProposals = signal(0);

/** The key that counted last, and when by the clock of the page. */
let counted = { by: '', atMs: 0 };

/** Counts the proposals that wait, if the last count is old, or somebody else's. */
export async function countWaitingProposals(): Promise<void> {
  const by = session.value?.key_id ?? '';
  if (by !== counted.by) waitingProposals.value = 0;
  else if (performance.now() - counted.atMs < countedForMs) return;
  await countAgain();
}

/** Counts them now. A count that fails leaves the one before: the page Review says what is wrong. */
export async function countAgain(): Promise<void> {
  counted = { by: session.value?.key_id ?? '', atMs: performance.now() };
  try {
    const query = { state: ProposalState.WAITING, pageSize: maxCountedProposals + 1 };
    waitingProposals.value = (await rpc.content.listProposals(query)).proposals.length;
  } catch {
    // It is counted again in a while.
  }
}
