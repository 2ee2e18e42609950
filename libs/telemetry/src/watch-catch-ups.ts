import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from './metrics.ts';
import { inSpan } from './span.ts';

/** A reader waits for a catch-up: one that takes longer than this is felt. */
const slowMs = 5_000;

/** Runs the work of a catch-up of one team, which returns how many positions of its feeds it went on by. */
export type WatchCatchUp = (teamId: string, work: () => Promise<number>) => Promise<number>;

/**
 * Measures how far rows made from feeds, such as tasks, were behind and how
 * long it took to catch up, and logs what was slow or failed.
 */
export function watchCatchUps(options: { projection: string; metrics: Metrics; log: Log }): WatchCatchUp {
  const { projection, metrics, log } = options;
  const labels = { projection };
  const observeSeconds = metrics.histogram('teammemory_feed_catch_up_seconds', labels);
  const observeLag = metrics.histogram('teammemory_feed_lag_rows', labels);
  const raiseFailures = metrics.counter('teammemory_feed_catch_up_failures_total', labels);

  return async (teamId, work) => {
    const startedMs = performance.now();
    try {
      const rows = await inSpan(`catch up ${projection}`, 'internal', work);
      const milliseconds = performance.now() - startedMs;
      observeSeconds(milliseconds / 1000);
      observeLag(rows);
      if (milliseconds > slowMs) {
        log.warn({ ...labels, team_id: teamId, rows, milliseconds }, 'it took long to catch up with a feed');
      }
      return rows;
    } catch (error) {
      raiseFailures();
      log.warn({ ...labels, team_id: teamId, err: error }, 'a feed could not be caught up with');
      throw error;
    }
  };
}
