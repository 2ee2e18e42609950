import type { CodebaseSummary } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { rpc } from '../../service/rpc.ts';

/** Scores of a codebase, the oldest first. */
export type Scores = readonly number[];

/** Orders of the list of codebases. */
export type Order = 'name' | 'score' | 'change';

/** Codebases whose scores are read for their trend, each with a call, and scans of each. */
const [maxTrends, shownScans] = [24, 100];

/** Reads the scores of the first codebases by slug. */
export async function readTrends(
  codebases: readonly CodebaseSummary[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Scores>> {
  const slugs = codebases.slice(0, maxTrends).map(({ codebase }) => codebase?.slug ?? '');
  const trends = slugs.map(async (codebaseSlug) => {
    const { scans } = await rpc.analytics.listScans({ codebaseSlug, pageSize: shownScans }, { signal });
    return [codebaseSlug, scans.map(({ agenticScore }) => agenticScore).reverse()] as const;
  });
  return new Map(await Promise.all(trends));
}

/** By how much the score changed since the first scan that is known; undefined where there is only one. */
export function changeOf(scores: Scores = []): number | undefined {
  const [first] = scores;
  const last = scores.at(-1);
  return first === undefined || last === undefined || scores.length < 2 ? undefined : last - first;
}

/** Orders codebases: by name, or the highest score or largest gain first. Those without a figure come last. */
export function ordered(
  codebases: readonly CodebaseSummary[],
  order: Order,
  trends: ReadonlyMap<string, Scores> = new Map(),
): CodebaseSummary[] {
  const figures = {
    name: () => 0,
    score: ({ newestScan }: CodebaseSummary) => newestScan?.agenticScore,
    change: ({ codebase }: CodebaseSummary) => changeOf(trends.get(codebase?.slug ?? '')),
  };
  const figure = (each: CodebaseSummary) => figures[order](each) ?? Number.NEGATIVE_INFINITY;
  return codebases.toSorted((one, other) => {
    const [mine, theirs] = [figure(one), figure(other)];
    if (mine !== theirs) return mine < theirs ? 1 : -1;
    return (one.codebase?.fullName ?? '').localeCompare(other.codebase?.fullName ?? '');
  });
}
