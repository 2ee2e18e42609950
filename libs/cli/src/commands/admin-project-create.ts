import type { Command } from 'commander';
import type { CommandHost } from '../command-host.ts';
import { requiredTeam } from '../required-team.ts';
import { withAdminClient } from '../with-admin-client.ts';

/** Adds `tms admin project create`. Prints `{ slug, name, brain_only }`. */
export function addProjectCreate(group: Command, { context, finish }: CommandHost): void {
  group
    .command('create')
    .description('create a project of the team of --team')
    .argument('<slug>', 'a to z, 0 to 9 and hyphens')
    .requiredOption('--name <name>', 'name for people')
    .action(async (slug: string, { name }: { name: string }, command: Command) => {
      const { signal } = context;
      const team = requiredTeam(command);
      const project = await withAdminClient(context, (admin) =>
        admin.createProject({ team, slug, name }, { signal }),
      );
      finish({ json: project, text: `Project ${project.slug} created.` });
    });
}
