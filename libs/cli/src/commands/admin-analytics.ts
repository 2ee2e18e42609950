import type { Command } from 'commander';
import type { CommandHost } from '../cli-context.ts';
import { requiredTeam, withAdminClient } from '../clients.ts';
import type { GlobalOptions } from '../global-options.ts';
import { rollupText, wholeNumber } from './analytics.ts';

/** Adds `tms admin rollup` and `tms admin rescore`. */
export function addAnalyticsCommands(admin: Command, host: CommandHost): void {
  addRollup(admin, host);
  addRescore(admin, host);
}

/** Prints `{ team, from, to, rubric_version, current, trend }`. */
function addRollup(group: Command, { context, finish }: CommandHost): void {
  group
    .command('rollup')
    .description('show the levels of the members of a team (--team) and how they changed')
    .option('--weeks <number>', 'number of weeks, 1 to 53; default: 12', wholeNumber)
    .action(async ({ weeks }: { weeks?: number }, command: Command) => {
      const team = requiredTeam(command);
      const { signal } = context;
      const rollup = await withAdminClient(context, (admin) => admin.getRollup({ team, weeks }, { signal }));
      finish({ json: rollup, text: rollupText(team, rollup) });
    });
}

/** Prints `{ teams, scans, snapshots }`: the number of teams read, and of scans and snapshots with a new score. */
function addRescore(group: Command, { context, finish }: CommandHost): void {
  group
    .command('rescore')
    .description('score history again after the service got a new rubric: all teams, or one team (--team)')
    .action(async (_: object, command: Command) => {
      const { team } = command.optsWithGlobals<GlobalOptions>();
      const { signal } = context;
      const record = await withAdminClient(context, (admin) => admin.rescore({ team }, { signal }));
      const { teams, scans, snapshots } = record;
      finish({ json: record, text: `teams ${teams}, rescored scans ${scans}, snapshots ${snapshots}` });
    });
}
