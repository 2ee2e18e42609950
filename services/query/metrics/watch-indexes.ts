import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { IndexFigures } from '../domain/index/index-host.ts';
import type { IndexWatch } from '../domain/index/team-indexes.ts';
import type { PoolWatch } from '../search-index/index-threads.ts';

/** The first question of a team waits for its index: a build that takes longer than this is felt. */
const slowMs = 5_000;

/** Measures how often indexes are built, and logs builds that took long. */
export function watchIndexes({ metrics, log }: { metrics: Metrics; log: Log }): IndexWatch {
  const observeSeconds = metrics.histogram('teammemory_search_index_build_seconds');
  const raiseRefusals = metrics.counter('teammemory_search_items_refused_total');
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

/** Counts what becomes of the files of indexes and of the threads that search them; logs when one of these ended. */
export function watchIndexPool({ metrics, log }: { metrics: Metrics; log: Log }): PoolWatch {
  const raiseEvictions = metrics.counter('teammemory_search_index_evictions_total');
  const raise = metrics.counter('teammemory_search_thread_restarts_total');
  return {
    dropped: raiseEvictions,
    damaged: (cause, teamId) =>
      log.warn({ cause, team_id: teamId }, 'the index of a team went wrong, and is made again'),
    ended(failure, teamId) {
      raise();
      log.error({ err: failure, team_id: teamId }, 'a thread that searches ended');
    },
  };
}

/** Measures what the indexes of this process take. */
export function measureIndexes(metrics: Metrics, figures: () => IndexFigures): void {
  metrics.gauge('teammemory_search_index_teams', () => figures().teams);
  metrics.gauge('teammemory_search_index_bytes', () => figures().bytes);
  metrics.gauge('teammemory_search_index_missing_passages', () => figures().missing);
}

/** Measures how long ago the background had looked at the feeds of all teams. */
export function measureRefreshAge(metrics: Metrics, ageSeconds: () => number): void {
  metrics.gauge('teammemory_search_index_refresh_age_seconds', ageSeconds);
}
