import type { Kind, Unit } from './kinds.ts';

/** Groups of checks, with the share of each in the percentage. */
export const pillars = {
  verification: 45,
  start_up: 20,
  instructions: 15,
  navigability: 10,
  guardrails: 10,
} as const;

export type Pillar = keyof typeof pillars;

/** What a check found. */
export interface Outcome {
  /** `unknown` if what decides was not read whole, or stands elsewhere. */
  status: 'pass' | 'fail' | 'does_not_apply' | 'unknown';
  /** Why, as a sentence. */
  reason: string;
  /** The file that decided. A check that misses a file names none. */
  path?: string;
  /** From 1. */
  line?: number;
}

/** One rule of the rubric; docs/scan.md lists all. */
export interface Check {
  id: string;
  pillar: Pillar;
  /** Share in the percentage; the checks of a pillar have the share of the pillar together. */
  weight: number;
  /** Whether each workspace is looked at by itself. */
  scope: 'repository' | 'workspace';
  title: string;
  /** Why it is worth something, with its source. */
  rests_on: string;
  /** What to do if it fails. */
  fix: string;
  /** Kinds that it says nothing about. */
  notFor: readonly Kind[];
  run(unit: Unit): Outcome;
}

export function pass(reason: string, path?: string, line?: number): Outcome {
  return located('pass', reason, path, line);
}

export function fail(reason: string, path?: string, line?: number): Outcome {
  return located('fail', reason, path, line);
}

export function unknown(reason: string, path?: string): Outcome {
  return located('unknown', reason, path);
}

export function doesNotApply(reason: string): Outcome {
  return { status: 'does_not_apply', reason };
}

function located(status: Outcome['status'], reason: string, path?: string, line?: number): Outcome {
  const outcome: Outcome = { status, reason };
  if (path !== undefined) outcome.path = path;
  if (line !== undefined) outcome.line = line;
  return outcome;
}
