import type { SignalName, Signals } from './rubric.ts';
import {
  type AxisName,
  axisNames,
  type LevelStep,
  type Measure,
  type Rubric,
  type SignalScale,
} from './rubric.ts';
import { type Level, levels, roundHalfUp } from './scored-rows.ts';

/** The ends of an axis are 0 and this. */
const maxAxis = 4;

export type Axes = Record<AxisName, number>;

/** The placement of a member. */
export interface Placement {
  spine: Level;
  /** 0 to 4, two decimals. */
  axes: Axes;
}

/** What a placement is computed from. */
export interface Measured {
  sessions: number;
  tasks: number;
  signals: Signals;
}

/** What one signal adds to an axis. */
export interface SignalPart {
  signal: SignalName;
  /** Undefined: not measured; its weight went to the others. */
  value: number | undefined;
  weight: number;
  /** 0 worst, 1 best. */
  rating: number;
  /** 0 to 4, not rounded. */
  points: number;
}

/** An axis and the parts that it is the rounded sum of. */
export interface AxisExplanation {
  axis: AxisName;
  value: number;
  parts: SignalPart[];
}

/** One condition of a level, met or not. */
export interface LevelCondition {
  level: Level;
  measure: Measure;
  atLeast: number;
  /** Undefined: not measured. */
  value: number | undefined;
  met: boolean;
}

/** A placement with all that led to it. */
export interface ExplainedPlacement {
  placement: Placement;
  axes: AxisExplanation[];
  /** Lowest level first. */
  conditions: LevelCondition[];
}

/** Places a member by a rubric. The spine is decided on the rounded axes, as they are shown. */
export function explainedPlacement(rubric: Rubric, measured: Measured): ExplainedPlacement {
  const { sessions, tasks, signals } = measured;
  const idle = sessions === 0 || tasks === 0;
  // Signals of nobody's work mean nothing: without sessions or tasks every axis is 0.
  const explained = axisNames.map((axis) => explainAxis(axis, rubric.axes[axis], idle ? {} : signals));
  const axes = Object.fromEntries(explained.map(({ axis, value }) => [axis, value])) as Axes;
  const conditions = explainLevels(rubric.levels, { sessions, tasks, ...signals, ...axes });
  return { placement: { spine: spineOf(conditions), axes }, axes: explained, conditions };
}

/** The highest level such that every condition up to it is met. */
function spineOf(conditions: readonly LevelCondition[]): Level {
  const unmet = conditions.find(({ met }) => !met);
  const reached = unmet === undefined ? levels : levels.slice(0, levels.indexOf(unmet.level));
  return reached.at(-1) ?? 'L0';
}

function explainAxis(axis: AxisName, scales: readonly SignalScale[], signals: Signals): AxisExplanation {
  const measuredWeight = scales
    .filter(({ signal }) => signals[signal] !== undefined)
    .reduce((sum, { weight }) => sum + weight, 0);
  const parts = scales.map((scale): SignalPart => {
    const { signal, weight } = scale;
    const value = signals[signal];
    if (value === undefined) return { signal, value, weight, rating: 0, points: 0 };
    const rating = rate(value, scale);
    return { signal, value, weight, rating, points: (maxAxis * weight * rating) / measuredWeight };
  });
  const sum = parts.reduce((total, { points }) => total + points, 0);
  return { axis, value: roundHalfUp(sum, 2), parts };
}

/** Held within 0 to 1: beyond the ends of its scale a signal is as bad or good as at them. */
function rate(value: number, { worst, best }: SignalScale): number {
  return Math.min(Math.max((value - worst) / (best - worst), 0), 1);
}

function explainLevels(
  steps: readonly LevelStep[],
  measures: Partial<Record<Measure, number>>,
): LevelCondition[] {
  return steps.flatMap(({ level, atLeast }) =>
    (Object.entries(atLeast) as [Measure, number][]).map(([measure, least]) => {
      const value = measures[measure];
      return { level, measure, atLeast: least, value, met: value !== undefined && value >= least };
    }),
  );
}
