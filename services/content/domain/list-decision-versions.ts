import { isRemoved, noSuchDecision } from './find-decision.ts';
import type { ItemStore } from './item-store.ts';
import { listVersions } from './list-item-versions.ts';
import { decisionFromVersion, type TeamDecision } from './team-decision.ts';

/** Versions of a page: each may have a body of 1 MiB, and all are in memory at once. */
const versionLimits = { default: 10, maximum: 20 } as const;

/** Earlier versions of a decision, newest first; `nextRevision` is 0 on the last page. */
export interface DecisionVersionPage {
  versions: TeamDecision[];
  nextRevision: number;
}

/**
 * Lists the kept versions of a decision before its present one, of a hidden
 * decision the last one that was shown included.
 * @throws AppError `not_found` where the team has none of this id, `unavailable`.
 */
export async function listDecisionVersions(
  decisions: ItemStore,
  teamId: string,
  query: { decisionId: string; beforeRevision: number; limit: number },
): Promise<DecisionVersionPage> {
  const { decisionId: rowKey, beforeRevision } = query;
  const state = (await decisions.find(teamId, [rowKey])).get(rowKey);
  if (state !== undefined && isRemoved(state)) throw noSuchDecision();
  const limit = Math.min(query.limit || versionLimits.default, versionLimits.maximum);
  const page = await listVersions(decisions, teamId, { rowKey, beforeRevision, limit });
  if (page === undefined) throw noSuchDecision();
  return { versions: page.versions.map(decisionFromVersion), nextRevision: page.nextRevision };
}
