import { useMemo } from 'preact/hooks';
import { teamItems, useTeamItems } from '../../data/team-items.ts';
import { feedPageRows, useFeed } from '../../data/use-feed.ts';
import { rpc } from '../../service/rpc.ts';
import { isTeamMember, mayChange, session } from '../../service/session.ts';
import { type Decision, mayEdit } from '../decisions/decision.ts';
import type { Task } from './task-groups.ts';

/** Returns whether who is signed in may change the text that a task stands in: all, or those that they wrote last. */
export function useEditableTasks(): (task: Task) => boolean {
  useTeamItems();
  const access = session.value?.access;
  const asksForDecisions = access === 'own' && isTeamMember();
  const { rows: decisions } = useFeed<Decision>(
    async (cursor, signal) => {
      if (!asksForDecisions) return undefined;
      const page = { cursor, limit: feedPageRows, includeDeleted: true };
      return (await rpc.content.listDecisions({ page }, { signal })).page;
    },
    [asksForDecisions],
    ({ decision_id }) => decision_id,
  );
  const items = teamItems.value;
  return useMemo(() => {
    if (access === 'write') return ({ source }) => source.decision_id === undefined || isTeamMember();
    const ownItems = new Set(items.filter(mayChange).map(({ row_key }) => row_key));
    const ownDecisions = new Set(decisions.filter(mayEdit).map(({ decision_id }) => decision_id));
    return ({ source }) =>
      source.decision_id === undefined ? ownItems.has(source.row_key) : ownDecisions.has(source.decision_id);
  }, [access, items, decisions]);
}
