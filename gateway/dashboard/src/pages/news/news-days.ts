import type { ItemSummary } from '../../data/item-summaries.ts';
import { t } from '../../language/language.ts';
import { decisionPath, itemPath } from '../../service/paths.ts';

/** One change, as a person reads it. */
export interface Change {
  /** What changed; a later change of the same thing replaces this one. */
  key: string;
  kind: 'item' | 'task' | 'decision';
  at: Date;
  /** Handle of who did it; empty where the feed does not tell. */
  by: string;
  /** What happened. */
  verb: 'changed' | 'removed' | TaskRow['status'];
  title: string;
  /** Where it stands: a path, or a status. */
  place: string;
  /** The page that shows it; empty for what is gone. */
  path: string;
  tier: 'team' | 'external';
}

/** Changes that one person made one after the other. */
export interface ChangeGroup {
  key: string;
  by: string;
  kind: Change['kind'];
  changes: Change[];
}

/** The changes of one day, the newest first. */
export interface NewsDay {
  day: string;
  at: Date;
  groups: ChangeGroup[];
}

/** An item in its feed without text, or its removal. */
export type ItemRow = ItemSummary | { row_key: string; updated_at: string; deleted: true };

/** A task in its feed. */
export interface TaskRow {
  task_id: string;
  title: string;
  status: 'open' | 'done' | 'cancelled';
  owner: string | null;
  tier: 'team' | 'external';
  source: { row_key: string; decision_id?: string; line: number };
  updated_at: string;
}

/** A decision in its feed, or its removal. */
export type DecisionRow =
  | {
      decision_id: string;
      title: string;
      status: string;
      audience: 'team' | 'external';
      updated_at: string;
      updated_by: string;
    }
  | { decision_id: string; updated_at: string; deleted: true };

/** An item's row as a change. */
export function itemChange(row: ItemRow): Change {
  const { row_key: place, updated_at } = row;
  const key = `item ${place}`;
  if ('deleted' in row) {
    const title = place.slice(place.lastIndexOf('/') + 1);
    return { ...gone(updated_at), key, kind: 'item', title, place };
  }
  const { title, updated_by: by, tier } = row;
  return {
    key,
    kind: 'item',
    at: new Date(updated_at),
    by,
    verb: 'changed',
    title,
    place,
    path: itemPath(place),
    tier,
  };
}

/** What happened, in words. */
export const verbWords: Readonly<Record<Change['verb'], string>> = {
  changed: t('changed'),
  removed: t('was removed'),
  open: t('is open'),
  done: t('is done'),
  cancelled: t('was cancelled'),
};

/** A task's row as a change. Its feed does not tell who changed the line. */
export function taskChange({ task_id, title, status, owner, tier, source, updated_at }: TaskRow): Change {
  const { row_key, decision_id, line } = source;
  const of = owner === null ? '' : ` · @${owner}`;
  return {
    key: `task ${task_id}`,
    kind: 'task',
    at: new Date(updated_at),
    by: '',
    verb: status,
    title,
    tier,
    place: `${decision_id === undefined ? row_key : t('a decision')}${of}`,
    path: decision_id === undefined ? itemPath(row_key, line) : decisionPath(decision_id),
  };
}

/** A decision's row as a change. */
export function decisionChange(row: DecisionRow): Change {
  const { decision_id, updated_at } = row;
  const key = `decision ${decision_id}`;
  if ('deleted' in row)
    return { ...gone(updated_at), key, kind: 'decision', title: t('A decision'), place: '' };
  const { title, status, updated_by: by, audience: tier } = row;
  const path = decisionPath(decision_id);
  return {
    key,
    kind: 'decision',
    at: new Date(updated_at),
    by,
    verb: 'changed',
    title,
    place: status,
    path,
    tier,
  };
}

function gone(updatedAt: string): Pick<Change, 'at' | 'by' | 'verb' | 'path' | 'tier'> {
  return { at: new Date(updatedAt), by: '', verb: 'removed', path: '', tier: 'team' };
}

/** Groups changes by day here, and within a day what one person did one after the other; newest first. */
export function newsDays(changes: Iterable<Change>): NewsDay[] {
  const days: NewsDay[] = [];
  for (const change of [...changes].sort((one, other) => other.at.getTime() - one.at.getTime())) {
    const day = dayOf(change.at);
    let last = days.at(-1);
    if (last?.day !== day) {
      last = { day, at: change.at, groups: [] };
      days.push(last);
    }
    const group = last.groups.at(-1);
    if (group?.kind === change.kind && group.by === change.by) group.changes.push(change);
    else last.groups.push({ key: change.key, by: change.by, kind: change.kind, changes: [change] });
  }
  return days;
}

function dayOf(at: Date): string {
  return `${at.getFullYear()}-${at.getMonth()}-${at.getDate()}`;
}
