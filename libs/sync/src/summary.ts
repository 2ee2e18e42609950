import type { Tier } from '@teammemory/vocabulary/tier.ts';

/** What was done with one file. `rename` has the former row_key in `from`. */
export interface DoneAction {
  kind: 'push' | 'rename' | 'remove_there' | 'write' | 'remove' | 'merge' | 'conflict' | 'move' | 'adopt';
  row_key: string;
  from?: string;
}

/** Why a file was left as it is. `reason` is the end of a sentence that begins with the file's name. */
export interface SkippedFile {
  row_key: string;
  /** Stable and in snake_case, such as `too_large`, `ignored`, `symlink`, `case_collision`, `instructions_from_guest`. */
  code: string;
  reason: string;
  /** True if the file is as an earlier run found it, which has told the reason. */
  told_before?: true;
}

/** A file that the service refused. */
export interface RefusedFile {
  row_key: string;
  code: string;
  detail: string;
}

/** A file that differs here and on the service, and waits for `tms resolve`. */
export interface OpenConflict {
  row_key: string;
  /** `edited`: both have another text. `removed`: it was removed from the service. `lost`: the service does not know it. */
  kind: 'edited' | 'removed' | 'lost';
  /** Path of the other version, relative to the root; absent for `removed` and `lost`. */
  copy?: string;
  /** Handle of whoever wrote the other version. */
  by?: string;
}

/** An item whose tier was changed by others. */
export interface TierChange {
  row_key: string;
  from: Tier;
  to: Tier;
}

/** What a run did, and what it leaves to the user. All lists have row_keys, sorted. */
export interface SyncSummary {
  dry_run: boolean;
  pushed: string[];
  written: string[];
  merged: string[];
  removed_here: string[];
  removed_there: string[];
  /** Renames that were carried to the service or followed here. */
  renamed: { from: string; to: string }[];
  /** Files that were found to be in step already, although nothing was known of them. */
  adopted: number;
  unchanged: number;
  /** All open conflicts, old ones too. */
  conflicts: OpenConflict[];
  /** Private notes, which stay here. */
  private: string[];
  /** Files that were pushed once and are private now: the team's copy stays until `tms rm`. */
  turned_private: string[];
  /** Of these, the files whose team's copy was erased in this run, with every version. */
  erased: string[];
  /** Files where an edit was kept although the other side had removed the file. */
  kept: { row_key: string; reason: string }[];
  tier_changes: TierChange[];
  /** Written files that coding agents may take for instructions. */
  instructions: string[];
  skipped: SkippedFile[];
  /** Files that the service refused, or would refuse for their credentials. */
  rejected: RefusedFile[];
  /** What the other direction would do, when only one was asked for. */
  pending: DoneAction[];
}

/** Progress of a run. */
export type SyncEvent =
  | { kind: 'fetched'; rows: number }
  | { kind: 'planned'; actions: number; list: readonly DoneAction[] }
  | { kind: 'done'; action: DoneAction; done: number; total: number }
  /** The write limit of the key is reached; the run goes on by itself. */
  | { kind: 'waiting'; seconds: number; writes_per_minute?: number }
  /** Something that somebody who watches should know: a sentence. */
  | { kind: 'note'; code: string; text: string };

export interface SyncOptions {
  direction: 'both' | 'push' | 'pull';
  /** Plan, and change nothing. */
  dryRun?: boolean;
  /** Also carry out removals of more than a quarter of the files. */
  allowRemovals?: boolean;
  /** Also write files of tier external that agents would take for instructions. */
  allowInstructions?: boolean;
  /** Also push files with credentials. */
  allowSecrets?: boolean;
  /** Tier of what is pushed; with `paths` also of what is in step. */
  tier?: Tier;
  /** Only these row_keys and what lies below them; hidden ones count as named. Default: all. */
  paths?: readonly string[];
  signal: AbortSignal;
  report(event: SyncEvent): void;
}
