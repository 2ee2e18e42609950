import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { IndexWatch } from '../domain/index/index-cache.ts';

/** The first question of a team waits for its index: a build that takes longer than this is felt. */
const slowMs = 5_000;

/** Measures how often indexes are built and dropped, and logs builds that took long. */
export function watchIndexes({ metrics, log }: { metrics: Metrics; log: Log }): IndexWatch {
  const observeSeconds = metrics.histogram(
    'search_index_build_seconds',
    'Time that it took to build the index of a team from all its rows.',
    'seconds',
  );
  const raiseEvictions = metrics.counter(
    'search_index_evictions_total',
    'Indexes that were dropped for want of memory (INDEX_MEMORY_MB).',
  );
  return {
    built(teamId, milliseconds) {
      observeSeconds(milliseconds / 1000);
      if (milliseconds > slowMs) log.warn({ team_id: teamId, milliseconds }, 'an index took long to build');
    },
    dropped(teamId) {
      raiseEvictions();
      log.debug({ team_id: teamId }, 'an index was dropped for want of memory');
    },
  };
}

/** Measures what the indexes of this process take. */
export function measureIndexes(metrics: Metrics, indexes: () => { teams: number; bytes: number }): void {
  metrics.gauge('search_index_teams', 'Teams whose index is in memory.', () => indexes().teams);
  metrics.gauge(
    'search_index_bytes',
    'Memory of these indexes by their own estimate.',
    () => indexes().bytes,
  );
}

/** Measures how long ago the background had looked at the feeds of all teams. */
export function measureRefreshAge(metrics: Metrics, ageSeconds: () => number): void {
  metrics.gauge(
    'search_index_refresh_age_seconds',
    'Time since all teams were last looked at in the background, or since the start.',
    ageSeconds,
  );
}
