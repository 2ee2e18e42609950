import { decidedKeptMs, type ProposalStore } from './proposal.ts';

const removalEveryMs = 60 * 60 * 1_000;
/** Proposals that are removed at once: a short write. */
const maxRemoved = 200;

/** Removes proposals of all teams that were decided longer ago than they are kept, until `signal` aborts. */
export async function removeDecidedProposals(
  { proposals, clock }: { proposals: Pick<ProposalStore, 'removeDecided'>; clock: () => number },
  signal: AbortSignal,
): Promise<void> {
  for (let removed = maxRemoved; removed === maxRemoved && !signal.aborted; ) {
    removed = await proposals.removeDecided(clock() - decidedKeptMs, maxRemoved);
  }
}

/** Does so now and once an hour, in the background. Returns a function that ends it. */
export function startProposalRemoval(
  dependencies: Parameters<typeof removeDecidedProposals>[0] & { onError: (error: unknown) => void },
): () => Promise<void> {
  const closing = new AbortController();
  const run = () => removeDecidedProposals(dependencies, closing.signal).catch(dependencies.onError);
  let running = run();
  const timer = setInterval(() => {
    running = running.then(run);
  }, removalEveryMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    closing.abort();
    await running;
  };
}
