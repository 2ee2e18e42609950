import type { Command } from 'commander';
import type { CommandHost } from '../command-host.ts';
import { requiredTeam } from '../required-team.ts';
import { withAdminClient } from '../with-admin-client.ts';

/** Adds `tms admin project remove`. Prints `{ removed: [{ slug, still_named }] }`; ends at the first that fails. */
export function addProjectRemove(group: Command, { context, finish }: CommandHost): void {
  group
    .command('remove')
    .description('remove projects of the team of --team that were created; items that name them stay')
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
          ? `Project ${slug} removed; it stays in the list, for items name it.`
          : `Project ${slug} removed.`,
      );
      finish({ json: { removed }, text: lines.join('\n') });
    });
}
