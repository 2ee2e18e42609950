import type { Command } from 'commander';
import type { CommandHost } from '../cli-context.ts';
import { requiredTeam, withAdminClient } from '../clients.ts';

/** Adds `tms admin project create`, `rename` and `remove`. */
export function addProjectCommands(admin: Command, host: CommandHost): void {
  const group = admin.command('project').description('projects');
  addProjectCreate(group, host);
  addProjectRename(group, host);
  addProjectRemove(group, host);
}

/** Prints `{ slug, name, brain_only }`. */
function addProjectCreate(group: Command, { context, finish }: CommandHost): void {
  group
    .command('create')
    .description('create a project of a team (--team)')
    .argument('<slug>', 'a to z, 0 to 9 and hyphens')
    .requiredOption('--name <name>', 'the name that people see')
    .action(async (slug: string, { name }: { name: string }, command: Command) => {
      const { signal } = context;
      const team = requiredTeam(command);
      const project = await withAdminClient(context, (admin) =>
        admin.createProject({ team, slug, name }, { signal }),
      );
      finish({ json: project, text: `Project ${project.slug} created.` });
    });
}

/** Prints `{ slug, name, brain_only }`. */
function addProjectRename(group: Command, { context, finish }: CommandHost): void {
  group
    .command('rename')
    .description('give a project of a team (--team) another name; its slug stays')
    .argument('<slug>', 'its slug')
    .requiredOption('--name <name>', 'the name that people see')
    .action(async (slug: string, { name }: { name: string }, command: Command) => {
      const { signal } = context;
      const team = requiredTeam(command);
      const project = await withAdminClient(context, (admin) =>
        admin.projects(team).rename({ slug, name }, { signal }),
      );
      finish({ json: project, text: `Project ${project.slug} is now called ${project.name}.` });
    });
}

/** Prints `{ removed: [{ slug, still_named }] }`. Stops at the first project that cannot be removed. */
function addProjectRemove(group: Command, { context, finish }: CommandHost): void {
  group
    .command('remove')
    .description('remove created projects of a team (--team); the items of these projects stay')
    .argument('<slugs...>', 'one or more slugs')
    .action(async (slugs: string[], _: object, command: Command) => {
      const { signal } = context;
      const team = requiredTeam(command);
      const removed = await withAdminClient(context, async (admin) => {
        const done = [];
        for (const slug of slugs) done.push(await admin.projects(team).remove(slug, { signal }));
        return done;
      });
      const lines = removed.map(({ slug, still_named }) =>
        still_named
          ? `Project ${slug} removed; it stays in the list because items mention it.`
          : `Project ${slug} removed.`,
      );
      finish({ json: { removed }, text: lines.join('\n') });
    });
}
