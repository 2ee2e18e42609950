import { documentKey } from '../passages/document-key.ts';
import type { FeedDecision, FeedTask } from './row-feed.ts';

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
