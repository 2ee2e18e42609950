import type { Command } from 'commander';
import type { CommandHost } from '../command-host.ts';
import { parseExpiry } from '../parse-expiry.ts';
import { withAdminClient } from '../with-admin-client.ts';

interface ServiceCreateOptions {
  scopes: string;
  expires?: string;
}

/** Adds `tms admin service create`. Prints `{ credential_id, credential, name, scopes, created_at, expires_at }`. */
export function addServiceCreate(group: Command, { context, finish }: CommandHost): void {
  group
    .command('create')
    .description('create the credential of a service that calls RPCs')
    .argument('<name>', 'a to z, 0 to 9 and hyphens; never used before')
    .requiredOption('--scopes <scopes>', 'what it opens, with commas: auth:read, feed:read, search:read')
    .option('--expires <when>', 'such as 90d, 12h, 30m or 2027-01-31T00:00:00Z; without it never')
    .action(async (name: string, { scopes, expires }: ServiceCreateOptions) => {
      const expiresAt = expires === undefined ? undefined : parseExpiry(expires, context.now());
      const wanted = { name, scopes: scopes.split(',').map((scope) => scope.trim()), expiresAt };
      const { signal } = context;
      const created = await withAdminClient(context, (admin) =>
        admin.createServiceCredential(wanted, { signal }),
      );
      const { revoked_at: _, ...shown } = created;
      finish({
        json: shown,
        text: `${created.credential}\nThis is the only time that the credential is shown.`,
      });
    });
}
