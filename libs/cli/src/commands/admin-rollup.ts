import type { TeamPlacementRecord } from '@teammemory/client/analytics.ts';
import { type Command, InvalidArgumentError } from 'commander';
import type { CommandHost } from '../command-host.ts';
import { requiredTeam } from '../required-team.ts';
import { withAdminClient } from '../with-admin-client.ts';

/** Adds `tms admin rollup`. Prints `{ team, from, to, rubric_version, current, trend }`. */
export function addRollup(group: Command, { context, finish }: CommandHost): void {
  group
    .command('rollup')
    .description('how the members of the team of --team are placed, and how that changed')
    .option('--weeks <number>', 'weeks to look back on, 1 to 53; by default 12', wholeNumber)
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
