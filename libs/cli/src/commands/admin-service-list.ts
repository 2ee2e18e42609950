import type { ServiceCredentialRecord } from '@teammemory/client/service-credentials.ts';
import type { Command } from 'commander';
import type { CommandHost } from '../command-host.ts';
import { validityText } from '../validity-text.ts';
import { withAdminClient } from '../with-admin-client.ts';

/** Adds `tms admin service list`. Prints `{ service_credentials: [...] }`, by name, never a secret. */
export function addServiceList(group: Command, { context, finish }: CommandHost): void {
  group
    .command('list')
    .description('list the credentials of services')
    .action(async () => {
      const { signal } = context;
      const pages = await withAdminClient(context, (admin) =>
        Array.fromAsync(admin.listServiceCredentials({ signal })),
      );
      const credentials = pages.flat();
      const text = credentials.map(line).join('\n') || 'There are no service credentials.';
      finish({ json: { service_credentials: credentials }, text });
    });
}

function line(credential: ServiceCredentialRecord): string {
  const { name, credential_id, scopes } = credential;
  return `${name}  ${credential_id}  ${scopes.join(',')}  ${validityText(credential)}`;
}
