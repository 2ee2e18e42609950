import { AppError } from '@teammemory/errors/app-error.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';

/**
 * Answers that are open at once: each takes some 200 KiB (docs/testing.md),
 * and so many that a model writes take more than a core.
 */
const openAnswersMax = 2_000;
/** One team whose clients run wild leaves half of them to the others. */
const openAnswersPerTeamMax = 1_000;

/**
 * Takes a place for an answer and answers what gives it back, once.
 * @throws AppError `unavailable` where none is free.
 */
export type OpenAnswer = (teamId: string) => () => void;

/** Bounds and measures how many answers are open: asked for, and not yet ended or given up. */
export function boundOpenAnswers(metrics: Metrics): OpenAnswer {
  const openByTeam = new Map<string, number>();
  let open = 0;
  metrics.gauge('http_event_streams_open', 'Answers that are being streamed, or about to be.', () => open);
  return (teamId) => {
    const ofTeam = openByTeam.get(teamId) ?? 0;
    if (open >= openAnswersMax || ofTeam >= openAnswersPerTeamMax)
      throw new AppError('unavailable', 'Too many answers are being given at once; ask again.');
    open += 1;
    openByTeam.set(teamId, ofTeam + 1);
    return () => {
      open -= 1;
      const left = (openByTeam.get(teamId) ?? 0) - 1;
      if (left > 0) openByTeam.set(teamId, left);
      else openByTeam.delete(teamId);
    };
  };
}
