import type { Command } from 'commander';
import type { CommandHost } from '../command-host.ts';
import { withAdminClient } from '../with-admin-client.ts';

/** Adds `tms admin service revoke`. Prints the credential as `tms admin service list` does. */
export function addServiceRevoke(group: Command, { context, finish }: CommandHost): void {
  group
    .command('revoke')
    .description('revoke the credential of a service; the tokens it has end within 65 seconds')
    .argument('<name>', 'name of the credential')
    .action(async (name: string) => {
      const { signal } = context;
      const revoked = await withAdminClient(context, (admin) =>
        admin.revokeServiceCredential(name, { signal }),
      );
      finish({ json: revoked, text: `Service credential ${revoked.name} revoked.` });
    });
}
