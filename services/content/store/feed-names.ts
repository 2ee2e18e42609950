/** What a list's rows and their versions are called, as tables and as collections; ours, never a client's. */
export interface FeedNames {
  rows: string;
  versions: string;
  /** What owners have of them. */
  usage: string;
}

/** The lists that content keeps. */
export const feedNames = {
  items: { rows: 'items', versions: 'item_versions', usage: 'item_usage' },
  tasks: { rows: 'tasks', versions: 'task_versions', usage: 'task_usage' },
  decisions: { rows: 'decisions', versions: 'decision_versions', usage: 'decision_usage' },
} as const satisfies Record<string, FeedNames>;
