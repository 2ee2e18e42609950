import { AppError } from '@teammemory/errors/app-error.ts';
import type { Pillar, ScanMetrics } from './scans.ts';
import { levels, roundHalfUp } from './scored-rows.ts';

/** One summand of a score. */
export interface ScorePart {
  name: 'instruction_files' | 'skills' | 'commands' | 'readiness' | 'level';
  /** 0 to `maxPoints`, not rounded. */
  points: number;
  maxPoints: number;
}

/** A score and what it is made of. */
export interface AgenticScore {
  /** 0 to `maxScore`, one decimal. */
  score: number;
  /** The most that a scan with these instruction files can score. */
  maxScore: number;
  /** Their sum, held at `maxScore` and rounded, is the score. */
  parts: ScorePart[];
}

/** How a version of the score rates a scan. */
type Rating = (metrics: ScanMetrics) => Omit<AgenticScore, 'score'>;

/** Version 1: docs/analytics.md. */
const version1: Rating = (metrics) => {
  const { skillsCount, commandsCount, readinessPct, readinessPillars } = metrics;
  const files = Number(metrics.hasAssistantMd) + Number(metrics.hasAgentsMd);
  const level = levels.indexOf(metrics.readinessLevel);
  return {
    parts: [
      { name: 'instruction_files', maxPoints: 20, points: [0, 14, 20][files] ?? 0 },
      { name: 'skills', maxPoints: 15, points: (15 * Math.min(skillsCount, 3)) / 3 },
      { name: 'commands', maxPoints: 5, points: (5 * Math.min(commandsCount, 5)) / 5 },
      { name: 'readiness', maxPoints: 45, points: 45 * (meanPassed(readinessPillars) ?? readinessPct / 100) },
      { name: 'level', maxPoints: 15, points: (15 * level) / 5 },
    ],
    maxScore: files === 0 ? 60 : 100,
  };
};

/** A version is added with the next number and never changed: stored scores name theirs. */
const versions: ReadonlyMap<number, Rating> = new Map([[1, version1]]);

/** The version that rates scans now. */
export const currentScoreVersion = Math.max(...versions.keys());

/**
 * Rates a scan and explains the score.
 * @throws AppError `unavailable` for a version that only a newer process knows,
 *   as while an installation is being updated.
 */
export function agenticScore(version: number, metrics: ScanMetrics): AgenticScore {
  const rating = versions.get(version);
  if (rating === undefined) {
    throw new AppError('unavailable', 'The scan was rated by another version of this service.');
  }
  const { parts, maxScore } = rating(metrics);
  const sum = parts.reduce((total, { points }) => total + points, 0);
  return { score: roundHalfUp(Math.min(sum, maxScore), 1), maxScore, parts };
}

/** The mean share of passed checks over the pillars that made any. */
function meanPassed(pillars: readonly Pillar[]): number | undefined {
  const shares = pillars.filter(({ total }) => total > 0).map(({ passed, total }) => passed / total);
  return shares.length === 0 ? undefined : shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
