import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { IndexFigures } from '../domain/index/index-host.ts';
import type { IndexWatch } from '../domain/index/team-indexes.ts';
import type { ThreadWatch } from '../index-thread/index-thread.ts';

/** The first question of a team waits for its index: a build that takes longer than this is felt. */
const slowMs = 5_000;

/** Measures how often indexes are built, and logs builds that took long. */
export function watchIndexes({ metrics, log }: { metrics: Metrics; log: Log }): IndexWatch {
  const observeSeconds = metrics.histogram(
    'search_index_build_seconds',
    'Time that it took to build the index of a team from all its rows.',
    'seconds',
  );
  const raiseRefusals = metrics.counter(
    'search_items_refused_total',
    'Items that could not be cut into passages, and are not found until they change.',
  );
  return {
    refused(teamId, rowKey) {
      raiseRefusals();
      log.error({ team_id: teamId, row_key: rowKey }, 'an item is too complex to be searched');
    },
    built(teamId, milliseconds) {
      observeSeconds(milliseconds / 1000);
      if (milliseconds > slowMs) log.warn({ team_id: teamId, milliseconds }, 'an index took long to build');
    },
  };
}

/** Counts what becomes of indexes and of the thread that keeps them; logs when that ended. */
export function watchIndexThread({ metrics, log }: { metrics: Metrics; log: Log }): ThreadWatch {
  const raiseEvictions = metrics.counter(
    'search_index_evictions_total',
    'Indexes that were dropped for want of memory (INDEX_MEMORY_MB).',
  );
  const raise = metrics.counter(
    'search_thread_restarts_total',
    'Times that the thread with the search indexes ended and was started anew.',
  );
  const raiseLoads = metrics.counter(
    'search_index_loads_total',
    'Indexes that were read from their files instead of being built.',
  );
  const raiseFileFailures = metrics.counter(
    'search_index_file_failures_total',
    'Files of indexes that could not be written.',
  );
  return {
    counted(before, now) {
      if (now.dropped > before.dropped) raiseEvictions(now.dropped - before.dropped);
      if (now.loaded > before.loaded) raiseLoads(now.loaded - before.loaded);
      if (now.unsaved > before.unsaved) raiseFileFailures(now.unsaved - before.unsaved);
    },
    ended(failure, teamId) {
      raise();
      log.error({ err: failure, team_id: teamId }, 'the thread with the search indexes ended');
    },
  };
}

/** Measures what the indexes of this process take. */
export function measureIndexes(metrics: Metrics, figures: () => IndexFigures): void {
  metrics.gauge('search_index_teams', 'Teams whose index is in memory.', () => figures().teams);
  metrics.gauge('search_index_bytes', 'Memory of these indexes.', () => figures().bytes);
  metrics.gauge(
    'search_index_missing_passages',
    'Passages of these teams that are not indexed, or only in part, and rows that are not, for want of memory.',
    () => figures().missing,
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
