import { type Command, Option } from 'commander';
import type { CommandHost } from '../cli-context.ts';
import { requiredTeam, withAdminClient } from '../clients.ts';
import { addMemberErase } from './admin-erasures.ts';

/** Adds `tms admin team create` and `list`, and `tms admin member add`, `list`, `role`, `remove` and `erase`. */
export function addTeamCommands(admin: Command, host: CommandHost): void {
  const teams = admin.command('team').description('teams');
  addTeamCreate(teams, host);
  addTeamList(teams, host);
  const members = admin.command('member').description('members');
  addMemberAdd(members, host);
  addMemberList(members, host);
  addMemberRole(members, host);
  addMemberRemove(members, host);
  addMemberErase(members, host);
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

/** Prints `{ teams: [...] }`, by slug. */
function addTeamList(group: Command, { context, finish }: CommandHost): void {
  group
    .command('list')
    .description('list all teams')
    .action(async () => {
      const { signal } = context;
      const pages = await withAdminClient(context, (admin) => Array.fromAsync(admin.listTeams({ signal })));
      const teams = pages.flat();
      const lines = teams.map(({ slug, name }) => `${slug}  ${name}`);
      finish({ json: { teams }, text: lines.join('\n') || 'There are no teams.' });
    });
}

/** Prints `{ team, members: [...] }`, by handle. */
function addMemberList(group: Command, { context, finish }: CommandHost): void {
  group
    .command('list')
    .description('list the members of a team (--team)')
    .action(async (_: object, command: Command) => {
      const team = requiredTeam(command);
      const { signal } = context;
      const pages = await withAdminClient(context, (admin) =>
        Array.fromAsync(admin.listMembers(team, { signal })),
      );
      const members = pages.flat();
      const lines = members.map(({ handle, role, created_at }) => `${handle}  ${role}  since ${created_at}`);
      finish({ json: { team, members }, text: lines.join('\n') || `${team} has no members.` });
    });
}

/** Prints `{ member_id, team, handle, role, created_at }`. */
function addMemberRole(group: Command, { context, finish }: CommandHost): void {
  group
    .command('role')
    .description('change the role of a member of a team (--team)')
    .argument('<handle>', 'handle of the member')
    .addOption(new Option('--role <role>').choices(['admin', 'member']).makeOptionMandatory())
    .action(async (handle: string, { role }: { role: 'admin' | 'member' }, command: Command) => {
      const { signal } = context;
      const team = requiredTeam(command);
      const member = await withAdminClient(context, (admin) =>
        admin.setMemberRole({ team, handle, role }, { signal }),
      );
      const now = member.role === 'admin' ? 'an administrator' : 'a member';
      const text = `${member.handle} is now ${now} of ${team}, which takes effect within 5 seconds.`;
      finish({ json: { ...member, team }, text });
    });
}

/** Prints `{ team, member, revoked_keys }`. */
function addMemberRemove(group: Command, { context, finish }: CommandHost): void {
  group
    .command('remove')
    .description(
      'remove a member from a team (--team), with the keys of that member; what the member wrote stays (member erase takes it away)',
    )
    .argument('<handle>', 'handle of the member')
    .action(async (handle: string, _: object, command: Command) => {
      const team = requiredTeam(command);
      const { signal } = context;
      const { revoked_keys } = await withAdminClient(context, (admin) =>
        admin.removeMember({ team, handle }, { signal }),
      );
      const keys = revoked_keys === 1 ? '1 key was' : `${revoked_keys} keys were`;
      finish({
        json: { team, member: handle, revoked_keys },
        text: `${handle} is no longer a member of ${team}. ${keys} revoked, which takes effect within 5 seconds.`,
      });
    });
}
