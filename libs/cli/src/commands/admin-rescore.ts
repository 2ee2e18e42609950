import type { Command } from 'commander';
import type { CommandHost } from '../command-host.ts';
import type { GlobalOptions } from '../global-options.ts';
import { withAdminClient } from '../with-admin-client.ts';

/** Adds `tms admin rescore`. Prints `{ teams, scans, snapshots }`: what was looked at, and what has a new score. */
export function addRescore(group: Command, { context, finish }: CommandHost): void {
  group
    .command('rescore')
    .description('score history again after the service got a new rubric: of all teams, or of that of --team')
    .action(async (_: object, command: Command) => {
      const { team } = command.optsWithGlobals<GlobalOptions>();
      const { signal } = context;
      const record = await withAdminClient(context, (admin) => admin.rescore({ team }, { signal }));
      const { teams, scans, snapshots } = record;
      finish({ json: record, text: `teams ${teams}, rescored scans ${scans}, snapshots ${snapshots}` });
    });
}
