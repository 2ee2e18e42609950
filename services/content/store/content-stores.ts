import type { CursorSecret } from '../domain/cursor.ts';
import type { ItemStore } from '../domain/item-store.ts';
import type { ProjectStore } from '../domain/project-store.ts';
import type { ProjectionStore } from '../domain/projection-store.ts';
import type { SkippedTextStore } from '../domain/skipped-text-store.ts';

/** Everything that the service keeps. */
export interface ContentStores {
  items: ItemStore;
  tasks: ItemStore;
  decisions: ItemStore;
  projects: ProjectStore;
  /** How far tasks and projects have followed the feeds they are made from. */
  places: ProjectionStore;
  /** Texts that are not read for tasks, or not to their end. */
  skipped: SkippedTextStore;
  /** What cursors are sealed with, the same for all processes. */
  cursorSecret: CursorSecret;
  /** Answers when the database does, else throws AppError `unavailable`. */
  ping(): Promise<void>;
  /** Closes what was opened here; a MongoDB connection stays its owner's. */
  close(): Promise<void>;
}
