import type { KeyRecord } from '@teammemory/client/accounts.ts';
import type { Command } from 'commander';
import type { CommandHost } from '../command-host.ts';
import { requiredTeam } from '../required-team.ts';
import { validityText } from '../validity-text.ts';
import { withAdminClient } from '../with-admin-client.ts';

/** Adds `tms admin key list`. Prints `{ team, keys: [...] }`, oldest first, never a secret. */
export function addKeyList(group: Command, { context, finish }: CommandHost): void {
  group
    .command('list')
    .description('list the keys of the team of --team')
    .action(async (_: object, command: Command) => {
      const team = requiredTeam(command);
      const { signal } = context;
      const pages = await withAdminClient(context, (admin) =>
        Array.fromAsync(admin.listKeys(team, { signal })),
      );
      const keys = pages.flat();
      finish({ json: { team, keys }, text: keys.map(line).join('\n') || `${team} has no keys.` });
    });
}

function line(key: KeyRecord): string {
  const { key_id, member, tier, last_used_at } = key;
  return `${key_id}  ${member}  ${tier}  ${validityText(key)}  last used ${last_used_at ?? 'never'}`;
}
