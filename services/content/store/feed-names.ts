/** What a list's rows and their versions are called, as tables and as collections; ours, never a client's. */
export interface FeedNames {
  rows: string;
  versions: string;
}

/** The lists that content keeps. */
export const feedNames = {
  items: { rows: 'items', versions: 'item_versions' },
  tasks: { rows: 'tasks', versions: 'task_versions' },
  decisions: { rows: 'decisions', versions: 'decision_versions' },
} as const satisfies Record<string, FeedNames>;
