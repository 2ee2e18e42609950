import type { Tier } from '../passages/passage.ts';

/** What lists are made of. */
export type RowKind = 'task' | 'decision' | 'project';

/** A task, decision or project of a team, as questions for lists are answered from it. */
export interface Row {
  kind: RowKind;
  /** Identity among the rows of its kind: task_id, decision_id or slug. */
  id: string;
  title: string;
  tier: Tier;
  /** Of a task open, done or cancelled; of a decision proposed, accepted, superseded or rejected; '' of a project. */
  status: string;
  /** Handle; '' for nobody. */
  owner: string;
  /** YYYY-MM-DD; '' for none. */
  due: string;
  /** Slug; '' for none. */
  project: string;
  tags: readonly string[];
  /** The day of a decision, else of the last change, YYYY-MM-DD. */
  date: string;
  /** What it is cited by: for a task what it stands in, else itself. */
  source: { rowKey: string; title: string; heading: string };
}
