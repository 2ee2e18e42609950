import type { SkippedTextRecord } from '@teammemory/client/content-admin.ts';
import type { Command } from 'commander';
import type { CommandHost } from '../command-host.ts';
import { printable } from '../printable.ts';
import { requiredTeam } from '../required-team.ts';
import { withAdminClient } from '../with-admin-client.ts';

/** Adds `tms admin skipped list`. Prints `{ team, skipped: [...] }`, decisions before items, each by its id. */
export function addSkippedList(group: Command, { context, finish }: CommandHost): void {
  group
    .command('list')
    .description('list the items and decisions of the team of --team that make no tasks, or not all, and why')
    .action(async (_: object, command: Command) => {
      const team = requiredTeam(command);
      const { signal } = context;
      const pages = await withAdminClient(context, (admin) =>
        Array.fromAsync(admin.listSkippedTexts(team, { signal })),
      );
      const skipped = pages.flat();
      const text = skipped.map(line).join('\n') || `Everything of ${team} was read for tasks.`;
      finish({ json: { team, skipped }, text });
    });
}

function line({ row_key, decision_id, reason, noticed_at }: SkippedTextRecord): string {
  return `${printable(row_key ?? `decision ${decision_id}`)}  ${reason}  since ${noticed_at}`;
}
