import { type Command, Option } from 'commander';
import type { CommandHost } from '../command-host.ts';
import { parseExpiry } from '../parse-expiry.ts';
import { requiredTeam } from '../required-team.ts';
import { withAdminClient } from '../with-admin-client.ts';

interface KeyCreateOptions {
  member: string;
  tier: 'team' | 'external';
  expires?: string;
}

/** Adds `tms admin key create`. Prints `{ key_id, key, team, member, tier, created_at, expires_at }`. */
export function addKeyCreate(group: Command, { context, finish }: CommandHost): void {
  group
    .command('create')
    .description('create a key for a member of the team of --team')
    .requiredOption('--member <handle>', 'whose key it is')
    .addOption(
      new Option('--tier <tier>', 'what it may see').choices(['team', 'external']).makeOptionMandatory(),
    )
    .option('--expires <when>', 'such as 90d, 12h, 30m or 2027-01-31T00:00:00Z; without it never')
    .action(async ({ member, tier, expires }: KeyCreateOptions, command: Command) => {
      const team = requiredTeam(command);
      const expiresAt = expires === undefined ? undefined : parseExpiry(expires, context.now());
      const { signal } = context;
      const created = await withAdminClient(context, (admin) =>
        admin.createKey({ team, member, tier, expiresAt }, { signal }),
      );
      const { key_id, key, created_at, expires_at } = created;
      finish({
        json: { key_id, key, team, member: created.member, tier: created.tier, created_at, expires_at },
        text: `${key}\nThis is the only time that the key is shown.`,
      });
    });
}
