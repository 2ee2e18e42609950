import type { Tier } from '@teammemory/vocabulary/tier.ts';
import type { DoneAction, OpenConflict, SkippedFile, TierChange } from '../summary.ts';

/** The `fileChecksum` of an item that cannot become a file. */
export const unwritable = 'unwritable';

/** A version of an item and the file that it is here. */
export interface Version {
  /** The checksum that the service has. */
  checksum: string;
  /** The checksum of the file's bytes: another one if the front matter had to be written anew. */
  fileChecksum: string;
  tier: Tier;
}

/** The version that was last in step, or from which a local edit was made. */
export interface InStep extends Version {
  /** Others made it internal: only somebody who asks for it by name makes it external again. */
  narrowed?: true;
}

/** An item as the feed last told it. */
export interface RemoteVersion extends Version {
  updatedAt: string;
  updatedBy: string;
}

/** `gone`: removed, or no longer visible to this key. */
export type RemoteRecord = RemoteVersion | 'gone';

export interface ConflictRecord {
  kind: OpenConflict['kind'];
  /** The other version; absent for `removed` and `lost`. */
  version?: RemoteVersion;
  /** Where the other version lies, relative to the root. */
  copy?: string;
}

/** What is remembered of a row_key: what was last in step, and what is unfinished. */
export interface BaseRecord {
  /** `gone`: the removal is in step. A new file of that name is a new item. */
  inStep?: InStep | 'gone';
  conflict?: ConflictRecord;
  /** Recorded before a merged file is written: once the file has these bytes, `version` is in step. */
  merging?: { fileChecksum: string; version: InStep };
  /** The team's copy goes, the file stays here. */
  withdrawn?: true;
}

export interface Fault {
  /** Stable and in snake_case. */
  code: string;
  /** The end of a sentence that begins with the file's name. */
  reason: string;
}

/** A file of the folder; `unknown` is something that could not be read, which is neither there nor missing. */
export type LocalFile =
  | { kind: 'file'; fileChecksum: string; isPrivate: boolean /** Why it cannot be pushed. */; fault?: Fault }
  | ({ kind: 'unknown' } & Fault);

/** Whether the bytes here are an earlier version of the item. `unknown`: the service does not tell. */
export type HistoryVerdict = 'old' | 'unrelated' | 'unknown';

/** All that the planner knows. Every map is by row_key. */
export interface World {
  base: ReadonlyMap<string, BaseRecord>;
  local: ReadonlyMap<string, LocalFile>;
  remote: ReadonlyMap<string, RemoteRecord>;
  history: ReadonlyMap<string, HistoryVerdict>;
  /** Former row_key by new one, as told by `tms mv`. */
  movedFrom: ReadonlyMap<string, string>;
  /** Whether something here could not be read that may be a file of any name. */
  hasUnreadable: boolean;
  /** The copies of other versions that lie in the folder. */
  copies: ReadonlySet<string>;
  /** Why an item must not become a file here. */
  refusal(rowKey: string, version: RemoteVersion): Fault | undefined;
  /** Two names with the same folded form are one file on this file system. */
  fold(name: string): string;
  /** The tier that a file in step is to get, if somebody asked for it by name. */
  askedTier(rowKey: string): Tier | undefined;
}

/** One step of the executor. `expected` is the checksum that the file must still have; null: no file. */
export type Action =
  /** State only. `clearCopy`: remove the copy of the other version if nobody edited it. */
  | { kind: 'record'; rowKey: string; record: BaseRecord | undefined; clearCopy?: string }
  | {
      kind: 'push';
      rowKey: string;
      fileChecksum: string;
      baseChecksum: string | null;
      origin: InStep | undefined;
      /** The team removed it, and it was edited here: it is made again. */
      revives: boolean;
      /** Others changed the tier since, and only this run tells: it is not yet time to overrule them. */
      tierIsNews: boolean;
    }
  | {
      kind: 'rename';
      from: string;
      rowKey: string;
      fileChecksum: string;
      origin: InStep;
      /** For a name that was removed before. */
      baseChecksum: null;
    }
  | { kind: 'remove_there'; rowKey: string; baseChecksum: string }
  | { kind: 'write'; rowKey: string; version: RemoteVersion; expected: string | null; narrowed?: true }
  | { kind: 'remove'; rowKey: string; expected: string }
  | { kind: 'merge'; rowKey: string; base: InStep; fileChecksum: string; version: RemoteVersion }
  | { kind: 'conflict'; rowKey: string; conflict: ConflictRecord; inStep: BaseRecord['inStep'] }
  /** Others renamed what was edited here: the file follows, with the edit. */
  | { kind: 'move'; from: string; rowKey: string; fileChecksum: string; version: RemoteVersion }
  /** Others changed only the case of a name, on a file system where both names are one file. */
  | { kind: 'respell'; from: string; rowKey: string; expected: string; version: RemoteVersion };

export interface Plan {
  /** In the order in which they are carried out. */
  actions: Action[];
  /** Conflicts that were open before. */
  conflicts: OpenConflict[];
  private: string[];
  turnedPrivate: string[];
  kept: { row_key: string; reason: string }[];
  tierChanges: TierChange[];
  skipped: SkippedFile[];
  unchanged: number;
  adopted: number;
  /** Row_keys whose history decides. Plan again with it; until then nothing is done with them. */
  needsHistory: string[];
  /** Removals whose content is nowhere else, and the number of files that were in step. */
  removals: { here: number; there: number; of: number };
}

/** Describes an action for people; undefined for one that only changes the state. */
export function describeAction(action: Action): DoneAction | undefined {
  const { kind, rowKey } = action;
  if (kind === 'record') return undefined;
  if (kind === 'rename' || kind === 'move') return { kind, row_key: rowKey, from: action.from };
  if (kind === 'respell') return { kind: 'move', row_key: rowKey, from: action.from };
  return { kind, row_key: rowKey };
}
