import type { Codebase } from './codebases.ts';
import type { Level, Rescored, ScoredRow, VersionPosition } from './scored-rows.ts';

/** Checks passed in one pillar of the client's rubric. */
export interface Pillar {
  name: string;
  passed: number;
  total: number;
}

/** What became of one check of the client's rubric. */
export interface Finding {
  check: string;
  /** One of `findingStatuses`. */
  status: string;
  /** Folder of the workspace; '' for the repository. */
  workspace: string;
  /** The file that decided; '' if none did. */
  path: string;
  /** From 1; 0 if none is meant. */
  line: number;
}

export const findingStatuses = ['pass', 'fail', 'waived', 'unknown', 'does_not_apply'];

/** What a scan found at one commit. */
export interface ScanMetrics {
  headSha: string;
  hasAssistantMd: boolean;
  hasAgentsMd: boolean;
  skillsCount: number;
  commandsCount: number;
  readinessLevel: Level;
  /** 0 to 100. */
  readinessPct: number;
  /** Each name once. A list, for a name such as `__proto__` must stay data. */
  readinessPillars: Pillar[];
  readinessRubricVersion: string;
  /** Absent where the client sent none. */
  findings?: Finding[];
}

/** What one member committed. */
export interface Contribution {
  member: string;
  commits: number;
  /** Of those, made by an agent. */
  agentCommits: number;
}

/** One issue of the codebase. */
export interface Issue {
  number: number;
  title: string;
  state: string;
}

/** What a client sends: typed, nothing more. */
export interface ScanDraft {
  codebase: Codebase;
  metrics: Omit<ScanMetrics, 'readinessLevel'> & { readinessLevel: string };
  contributions: Contribution[];
  issues: Issue[];
}

/** A draft that follows every rule. */
export interface CheckedScan extends ScanDraft {
  metrics: ScanMetrics;
}

/** A scan as it is rated: what the score rests on, and the score. */
export interface RatedScan extends ScoredRow {
  metrics: ScanMetrics;
  /** 0 to 100, one decimal. */
  agenticScore: number;
}

/** A scan with everything that came with it. */
export interface Scan extends RatedScan {
  codebaseId: string;
  contributions: Contribution[];
  issues: Issue[];
}

/** A scan in a list. */
export interface ListedScan extends RatedScan {
  /** When its commit came first, milliseconds since the epoch. */
  createdAt: number;
}

/** Stores scans. Every method may also throw AppError `unavailable`. */
export interface ScanStore {
  /**
   * Stores a whole scan durably and returns its id: the one given where the
   * commit is new to the codebase, else the one it has, everything else
   * replaced. However many do so at once, all get the same id, and what is
   * kept is wholly one of them. `revision` is the store's to count. `at`:
   * milliseconds since the epoch.
   */
  put(teamId: string, scan: Omit<Scan, 'revision'>, at: number): Promise<string>;
  /**
   * Forgets the oldest scans of a codebase, by when their commit came first,
   * past so many or so many bytes; the newest always stays. Scans of the first
   * versions of this program count as of no bytes until they are migrated.
   */
  keepNewest(teamId: string, codebaseId: string, most: { scans: number; bytes: number }): Promise<void>;
  find(teamId: string, codebaseId: string, headSha: string): Promise<Scan | undefined>;
  /** Up to `limit` scans of a codebase, the commit that came last first, those before `beforeId`; '' begins with it. */
  list(teamId: string, codebaseId: string, beforeId: string, limit: number): Promise<ListedScan[]>;
  /** Up to `limit` scans rated by versions before `version`, by version and id, those after `after`. */
  ratedBefore(teamId: string, version: number, after: VersionPosition, limit: number): Promise<RatedScan[]>;
  /** Replaces the scores of scans that are still at their revision; returns how many. */
  rescore(teamId: string, scans: readonly Rescored<{ agenticScore: number }>[]): Promise<number>;
}
