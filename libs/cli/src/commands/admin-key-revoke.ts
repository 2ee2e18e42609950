import type { Command } from 'commander';
import type { CommandHost } from '../command-host.ts';
import { withAdminClient } from '../with-admin-client.ts';

/** Adds `tms admin key revoke`. Prints the key as `tms admin key list` does. */
export function addKeyRevoke(group: Command, { context, finish }: CommandHost): void {
  group
    .command('revoke')
    .description('revoke a key; it ends at the public API within 5 seconds')
    .argument('<key_id>', 'id of the key, not the key')
    .action(async (keyId: string) => {
      const { signal } = context;
      const key = await withAdminClient(context, (admin) => admin.revokeKey(keyId, { signal }));
      finish({ json: key, text: `Key ${key.key_id} revoked.` });
    });
}
