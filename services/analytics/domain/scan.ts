import type { Codebase } from './codebase.ts';
import type { Level } from './level.ts';

/** Checks passed in one pillar of the client's rubric. */
export interface Pillar {
  name: string;
  passed: number;
  total: number;
}

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
