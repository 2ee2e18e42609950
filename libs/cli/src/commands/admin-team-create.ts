import type { Command } from 'commander';
import type { CommandHost } from '../command-host.ts';
import { withAdminClient } from '../with-admin-client.ts';

/** Adds `tms admin team create`. Prints `{ team_id, slug, name, created_at }`. */
export function addTeamCreate(group: Command, { context, finish }: CommandHost): void {
  group
    .command('create')
    .description('create a team')
    .argument('<slug>', 'a to z, 0 to 9 and hyphens')
    .requiredOption('--name <name>', 'name for people')
    .action(async (slug: string, { name }: { name: string }) => {
      const { signal } = context;
      const team = await withAdminClient(context, (admin) => admin.createTeam({ slug, name }, { signal }));
      finish({ json: team, text: `Team ${team.slug} created.` });
    });
}
