import type { TeamPlacementRecord } from '@teammemory/client/rpc/analytics.ts';
import { type Command, InvalidArgumentError } from 'commander';
import type { CommandHost } from '../cli-context.ts';
import { requiredTeam, withAdminClient } from '../clients.ts';
import type { GlobalOptions } from '../global-options.ts';

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
      const { from, to, current, trend } = rollup;
      const text = [
        `${team}, ${from} to ${to}`,
        `now         ${placementText(current)}`,
        ...Object.entries(current.median_axes ?? {}).map(([axis, median]) => `  median ${axis} ${median}`),
        ...trend.map((week) => `${week.week}  ${placementText(week)}`),
      ];
      finish({ json: rollup, text: text.join('\n') });
    });
}

function placementText({ members, spines }: TeamPlacementRecord): string {
  if (spines === null) return `${members} members; figures are withheld below 3`;
  const counts = Object.keys(spines)
    .sort()
    .map((level) => `${level} ${spines[level]}`);
  return `${members} members: ${counts.join(', ')}`;
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
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
