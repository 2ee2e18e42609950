import { type Command, Option } from 'commander';
import type { CommandHost } from '../command-host.ts';
import { requiredTeam } from '../required-team.ts';
import { withAdminClient } from '../with-admin-client.ts';

/** Adds `tms admin member add`. Prints `{ member_id, team, handle, role, created_at }`. */
export function addMemberAdd(group: Command, { context, finish }: CommandHost): void {
  group
    .command('add')
    .description('add a member to the team of --team')
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
