import type { FeedDecision, FeedProject, FeedTask, GoneRow, RowFeed, RowPage } from '../passages/feeds.ts';
import { documentKey } from '../passages/passage.ts';
import { type FeedInMemory, feedInMemory } from '../passages/passages.fixture.ts';

const state = { seq: 1, tier: 'team', project: '', updatedOn: '2026-11-02', isGone: false } as const;

/** A task of the feed, with what a test wants to be different. */
export function feedTask(id: string, changed: Partial<FeedTask> = {}): FeedTask {
  const task = { title: `Task ${id}`, status: 'open', owner: '', due: '', tags: [] };
  return { ...state, ...task, id, source: { key: 'tasks.md', heading: '' }, ...changed };
}

/** The same of a decision. */
export function feedDecision(id: string, changed: Partial<FeedDecision> = {}): FeedDecision {
  const decision = { title: `Decision ${id}`, status: 'accepted', body: '', decidedOn: '' };
  return { ...state, ...decision, id, ...changed };
}

/** Where a task stands whose text is a decision. */
export function inDecision(id: string, heading = ''): FeedTask['source'] {
  return { key: documentKey('decision', id), heading };
}

/** All feeds in memory, to which a test writes. */
export interface FeedsInMemory extends FeedInMemory, RowFeed {
  putTask(teamId: string, task: Omit<FeedTask, 'seq'> | Omit<GoneRow, 'seq'>): void;
  putDecision(teamId: string, decision: Omit<FeedDecision, 'seq'> | Omit<GoneRow, 'seq'>): void;
  setProjects(teamId: string, projects: readonly FeedProject[]): void;
}

export function feedsInMemory(): FeedsInMemory {
  const items = feedInMemory();
  const tasks = listInMemory<FeedTask>();
  const decisions = listInMemory<FeedDecision>();
  const projects = new Map<string, { version: number; all: readonly FeedProject[] }>();
  return {
    ...items,
    putTask: tasks.put,
    putDecision: decisions.put,
    setProjects(teamId, all) {
      projects.set(teamId, { version: (projects.get(teamId)?.version ?? 0) + 1, all });
    },
    heads: async (teamId) => ({
      dataId: 'data',
      items: (await items.read(teamId, 0, 0)).headSeq,
      tasks: tasks.page(teamId, 0).headSeq,
      decisions: decisions.page(teamId, 0).headSeq,
      projects: projects.get(teamId)?.version ?? 0,
    }),
    tasks: async (teamId, afterSeq) => tasks.page(teamId, afterSeq),
    decisions: async (teamId, afterSeq) => decisions.page(teamId, afterSeq),
    async *projects(teamId) {
      for (const project of projects.get(teamId)?.all ?? []) yield [project];
    },
  };
}

/** Rows of one list, two a page. */
function listInMemory<Row extends { seq: number; id: string }>() {
  const teams = new Map<string, { rows: Map<string, Row | GoneRow>; head: number }>();
  return {
    put(teamId: string, row: Omit<Row, 'seq'> | Omit<GoneRow, 'seq'>): void {
      const team = teams.getOrInsertComputed(teamId, () => ({ rows: new Map(), head: 0 }));
      team.head += 1;
      const placed = { ...row, seq: team.head } as Row | GoneRow;
      team.rows.set(placed.id, placed);
    },
    page(teamId: string, afterSeq: number): RowPage<Row> {
      const { rows, head } = teams.get(teamId) ?? { rows: new Map<string, Row | GoneRow>(), head: 0 };
      const later = [...rows.values()].filter(({ seq }) => seq > afterSeq);
      return { rows: later.sort((left, right) => left.seq - right.seq).slice(0, 2), headSeq: head };
    },
  };
}
