import type { Log } from '@teammemory/log/log.ts';
import { type ChangedTeams, createChangedTeams } from './domain/feed/changed-teams.ts';
import type { TeamHeads } from './domain/feed/progress.ts';
import { startUsageRepair } from './domain/feed/usage-repair.ts';
import { startProposalRemoval } from './domain/proposals/remove-decided.ts';
import type { ContentStores } from './store/open-stores.ts';

/** What fails in the background is logged no more often than this. */
const logPauseMs = 60_000;

/**
 * Starts to look for changes of all teams, to count again what a killed process left uncounted, and to remove proposals
 * that were decided long ago.
 */
export function startBackgroundWork(options: {
  stores: ContentStores;
  /** Returns a team's heads, once tasks show everything written before. */
  headsOf: (teamId: string) => Promise<TeamHeads>;
  clock: () => number;
  log: Log;
}): { changed: ChangedTeams; close(): Promise<void> } {
  const { stores, headsOf, log } = options;
  const { items, tasks, decisions, marks, progress } = stores;
  const changed = createChangedTeams({
    marks,
    progress,
    headsOf,
    clock: () => performance.now(),
    onError: logSometimes(options, 'changes cannot be looked up; those who follow them wait'),
  });
  changed.start();
  const endProposalRemoval = startProposalRemoval({
    proposals: stores.proposals,
    clock: options.clock,
    onError: logSometimes(options, 'proposals that were decided long ago could not be removed'),
  });
  const endUsageRepair = startUsageRepair({
    marks,
    feeds: { items, tasks, decisions },
    onRepaired: (teamId) =>
      log.info({ team_id: teamId }, 'what a team has was counted again: counts had been lost'),
    onError: logSometimes(options, 'what teams have could not be counted again'),
  });
  return {
    changed,
    async close() {
      await endProposalRemoval();
      await endUsageRepair();
      await changed.close();
    },
  };
}

/** Logs the first of errors that follow each other, such as those of an outage of the database. */
export function logSometimes(
  { log, clock }: { log: Log; clock: () => number },
  message: string,
): (err: unknown) => void {
  let loggedAtMs = 0;
  return (err) => {
    if (clock() - loggedAtMs < logPauseMs) return;
    loggedAtMs = clock();
    log.warn({ err }, message);
  };
}
