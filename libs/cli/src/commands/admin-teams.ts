import { type Command, Option } from 'commander';
import type { CommandHost } from '../cli-context.ts';
import { requiredTeam, withAdminClient } from '../clients.ts';

/** Adds `tms admin team create` and `tms admin member add`. */
export function addTeamCommands(admin: Command, host: CommandHost): void {
  addTeamCreate(admin.command('team').description('teams'), host);
  addMemberAdd(admin.command('member').description('members'), host);
}

/** Prints `{ team_id, slug, name, created_at }`. */
function addTeamCreate(group: Command, { context, finish }: CommandHost): void {
  group
    .command('create')
    .description('create a team')
    .argument('<slug>', 'a to z, 0 to 9 and hyphens')
    .requiredOption('--name <name>', 'the name that people see')
    .action(async (slug: string, { name }: { name: string }) => {
      const { signal } = context;
      const team = await withAdminClient(context, (admin) => admin.createTeam({ slug, name }, { signal }));
      finish({ json: team, text: `Team ${team.slug} created.` });
    });
}

/** Prints `{ member_id, team, handle, role, created_at }`. */
function addMemberAdd(group: Command, { context, finish }: CommandHost): void {
  group
    .command('add')
    .description('add a member to a team (--team)')
    .argument('<handle>', 'a to z, 0 to 9, dot, underscore and hyphen')
    .addOption(new Option('--role <role>').choices(['admin', 'member']).makeOptionMandatory())
    .action(async (handle: string, { role }: { role: 'admin' | 'member' }, command: Command) => {
      const { signal } = context;
      const team = requiredTeam(command);
      const member = await withAdminClient(context, (admin) =>
        admin.addMember({ team, handle, role }, { signal }),
      );
      finish({ json: { ...member, team }, text: `${member.handle} is now a member of ${team}.` });
    });
}
