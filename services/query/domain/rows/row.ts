import type { FeedDecision, FeedItem, FeedProject, FeedTask, GoneRow } from '../passages/feeds.ts';
import { documentKey, type Fields, type ItemPassages, noFields, type Tier } from '../passages/passage.ts';

/** The kinds of rows in lists. */
export type RowKind = 'task' | 'decision' | 'project';

/** A task, decision or project of a team, as questions for lists are answered from it. */
export interface Row {
  kind: RowKind;
  /** Identity among the rows of its kind: task_id, decision_id or slug. */
  id: string;
  title: string;
  tier: Tier;
  /**
   * `open`, `done` or `cancelled` for a task; `proposed`, `accepted`, `superseded` or `rejected` for a decision; '' for
   * a project.
   */
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
  /** The source to cite: for a task the text that contains it, else the row itself. */
  source: { rowKey: string; title: string; heading: string; isByGuest?: boolean };
}

/** Statuses of decisions that were superseded or never held. */
const outdatedStatuses: readonly string[] = ['superseded', 'rejected'];

/** A row as an index keeps it. */
export interface KeptRow extends Omit<Row, 'source'> {
  /** What it is cited by, as an index knows it: the key of an item, or `documentKey`. */
  sourceKey: string;
  /** The heading above a task. */
  heading: string;
  /** Id of the member who wrote a decision; left out where that is not known. */
  writerId?: string | undefined;
}

/** A row to keep in place of what was kept of it, or to forget. */
export type RowChange = KeptRow | { kind: RowKind; id: string; isGone: true };

/** Returns the change that keeps or removes a task. */
export function taskChange(task: FeedTask | GoneRow): RowChange {
  const { id } = task;
  if (task.isGone) return { kind: 'task', id, isGone: true };
  const { title, tier, status, owner, due, project, tags, updatedOn: date, source } = task;
  const { key: sourceKey, heading } = source;
  return { kind: 'task', id, title, tier, status, owner, due, project, tags, date, sourceKey, heading };
}

/** Returns the change that keeps or removes a decision, apart from its passages. */
export function decisionChange(decision: FeedDecision | GoneRow): RowChange {
  const { id } = decision;
  if (decision.isGone) return { kind: 'decision', id, isGone: true };
  const { title, tier, status, project, writerId } = decision;
  const kept = { title, tier, status, project, date: dateOf(decision), ...(writerId && { writerId }) };
  return { kind: 'decision', id, ...kept, ...noTask, sourceKey: documentKey('decision', id) };
}

/** A decision as one of the texts that are cut into passages; without content where it is gone. */
export function decisionDocument(decision: FeedDecision | GoneRow): FeedItem {
  const { seq, id, tier } = decision;
  const document = { seq, rowKey: documentKey('decision', id), tier, kind: 'decision' } as const;
  if (decision.isGone) return { ...document, title: '', content: '', isErased: decision.isErased };
  const { title, body, status, project, writerId } = decision;
  const isOutdated = outdatedStatuses.includes(status);
  const said = { date: dateOf(decision), status, isOutdated, project };
  const isDatedByChange = decision.decidedOn === '';
  const fields: Fields = { ...noFields, ...said, ...(isDatedByChange && { isDatedByChange }) };
  // A decision may have said all with its title.
  return { ...document, title, content: body.trim() === '' ? title : body, fields, writerId };
}

/** Returns the record of a project, apart from its passage. */
export function projectRow({ slug, name: title }: FeedProject): KeptRow {
  const sourceKey = documentKey('project', slug);
  const kept = { id: slug, title, tier: 'team', status: '', project: slug, date: '' } as const;
  return { kind: 'project', ...kept, ...noTask, sourceKey };
}

/** A project as a document of one line; without a line where it has no name, because it is gone. Only members of the team see projects. */
export function projectDocument(
  { slug, name }: Pick<FeedProject, 'slug'> & Partial<FeedProject>,
  seq: number,
): ItemPassages {
  const fields: Fields = { ...noFields, project: slug };
  const document = {
    rowKey: documentKey('project', slug),
    seq,
    tier: 'team',
    kind: 'project',
    fields,
  } as const;
  if (name === undefined) return { ...document, title: '', passages: [] };
  const text = name === slug ? `Project ${slug}` : `Project ${name} (${slug})`;
  return { ...document, title: name, passages: [{ ordinal: 0, headings: [], text }] };
}

const noTask = { owner: '', due: '', tags: [], heading: '' };

function dateOf({ decidedOn, updatedOn }: FeedDecision): string {
  return decidedOn === '' ? updatedOn : decidedOn;
}
