import { AppError } from '@teammemory/errors/app-error.ts';
import type { Level } from './scored-rows.ts';

/** Signals that are shares, 0 to 1. */
export const ratioNames = [
  'delegation_ratio',
  'error_rate',
  'cache_hit_rate',
  'verify_tool_rate',
  'subagent_usage',
] as const;

/** Signals that are amounts: turns, US dollars, tokens, tools. */
export const amountNames = [
  'correction_loop_avg',
  'cost_per_task',
  'tokens_per_task',
  'tool_diversity',
] as const;

/** Named as on the wire: the rubric is to be read next to docs/analytics.md. */
export type SignalName = (typeof ratioNames)[number] | (typeof amountNames)[number];

/** What was measured; a signal that was not is absent. */
export type Signals = Partial<Record<SignalName, number>>;

/** The axes of a placement, in the order of docs/analytics.md. */
export const axisNames = [
  'verification',
  'context_hygiene',
  'autonomy',
  'learning',
  'cost_governance',
] as const;

export type AxisName = (typeof axisNames)[number];

/** How one signal is rated on one axis: 0 at `worst`, 1 at `best`, in proportion between them. */
export interface SignalScale {
  weight: number;
  signal: SignalName;
  worst: number;
  best: number;
}

/** What the conditions of a level may look at. */
export type Measure = 'sessions' | 'tasks' | SignalName | AxisName;

/** A level and what each measure must at least be for it, besides what the levels below it ask. */
export interface LevelStep {
  level: Exclude<Level, 'L0'>;
  atLeast: Partial<Record<Measure, number>>;
}

/** One version of the canonical rubric. */
export interface Rubric {
  version: number;
  axes: Record<AxisName, SignalScale[]>;
  /** Lowest first. */
  levels: LevelStep[];
}

/** Rises from a to b. */
const up = (weight: number, signal: SignalName, a: number, b: number): SignalScale => {
  return { weight, signal, worst: a, best: b };
};
/** Falls from a to b: 1 - up. */
const dn = (weight: number, signal: SignalName, a: number, b: number): SignalScale => {
  return { weight, signal, worst: b, best: a };
};

/**
 * Version 1: docs/analytics.md. Its last rule, never above L3 while
 * verification < 1, needs no line: L4 asks for verification >= 2.
 */
const version1: Rubric = {
  version: 1,
  // biome-ignore format: a table, to be read next to the one in docs/analytics.md
  axes: {
    verification:    [up(0.8, 'verify_tool_rate', 0, 0.3),   dn(0.2, 'error_rate', 0.02, 0.25)],
    context_hygiene: [up(0.6, 'cache_hit_rate', 0.3, 0.9),   dn(0.4, 'tokens_per_task', 20_000, 200_000)],
    autonomy:        [up(0.5, 'delegation_ratio', 0, 0.5),   up(0.3, 'subagent_usage', 0, 0.6), up(0.2, 'tool_diversity', 2, 12)],
    learning:        [dn(0.7, 'error_rate', 0.02, 0.25),     dn(0.3, 'correction_loop_avg', 5, 40)],
    cost_governance: [dn(0.5, 'cost_per_task', 0.25, 3),     up(0.3, 'cache_hit_rate', 0.3, 0.9), dn(0.2, 'tokens_per_task', 20_000, 200_000)],
  },
  levels: [
    { level: 'L1', atLeast: { sessions: 1, tasks: 1 } },
    { level: 'L2', atLeast: { tool_diversity: 3 } },
    { level: 'L3', atLeast: { context_hygiene: 2 } },
    { level: 'L4', atLeast: { delegation_ratio: 0.2, verification: 2 } },
    { level: 'L5', atLeast: { subagent_usage: 0.5, delegation_ratio: 0.4, verification: 3, learning: 2 } },
  ],
};

/** The rubric that places snapshots now. A version is added beside the others and never changed. */
export const currentRubric: Rubric = version1;

const rubrics: ReadonlyMap<number, Rubric> = new Map([[version1.version, version1]]);

/**
 * The rubric of a stored snapshot.
 * @throws AppError `unavailable` for a version that only a newer process knows,
 *   as while an installation is being updated.
 */
export function rubricOf(version: number): Rubric {
  const rubric = rubrics.get(version);
  if (rubric !== undefined) return rubric;
  throw new AppError('unavailable', 'The snapshot was placed by another version of this service.');
}
