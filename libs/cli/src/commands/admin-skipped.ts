import type { SkippedTextRecord } from '@teammemory/client/rpc/content-admin.ts';
import type { Command } from 'commander';
import type { CommandHost } from '../cli-context.ts';
import { requiredTeam, withAdminClient } from '../clients.ts';
import { printable } from '../terminal.ts';

/** Adds `tms admin skipped list`. Prints `{ team, skipped: [...] }`, decisions before items, each ordered by id. */
export function addSkippedCommands(admin: Command, { context, finish }: CommandHost): void {
  admin
    .command('skipped')
    .description('texts from which no tasks were made')
    .command('list')
    .description('list the items and decisions of a team (--team) from which tasks are missing, and why')
    .action(async (_: object, command: Command) => {
      const team = requiredTeam(command);
      const { signal } = context;
      const pages = await withAdminClient(context, (admin) =>
        Array.fromAsync(admin.listSkippedTexts(team, { signal })),
      );
      const skipped = pages.flat();
      const text = skipped.map(skippedLine).join('\n') || `Everything of ${team} was read for tasks.`;
      finish({ json: { team, skipped }, text });
    });
}

function skippedLine({ row_key, decision_id, reason, noticed_at }: SkippedTextRecord): string {
  return `${printable(row_key ?? `decision ${decision_id}`)}  ${reason}  since ${noticed_at}`;
}
