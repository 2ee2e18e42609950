import type { ServiceCredentialRecord } from '@teammemory/client/rpc/service-credentials.ts';
import type { Command } from 'commander';
import type { CommandHost } from '../cli-context.ts';
import { withAdminClient } from '../clients.ts';
import { expiresHelp, parseExpiry, validityText } from '../expiry.ts';

/** Adds `tms admin service create`, `revoke` and `list`. */
export function addServiceCredentialCommands(admin: Command, host: CommandHost): void {
  const group = admin.command('service').description('credentials of services');
  addServiceCreate(group, host);
  addServiceRevoke(group, host);
  addServiceList(group, host);
}

/** Prints `{ credential_id, credential, name, scopes, created_at, expires_at }`. */
function addServiceCreate(group: Command, { context, finish }: CommandHost): void {
  group
    .command('create')
    .description('create a credential for a service that calls RPCs')
    .argument('<name>', 'a to z, 0 to 9 and hyphens; a name can be used only once')
    .requiredOption(
      '--scopes <scopes>',
      'what it permits, separated by commas: auth:read, feed:read, search:read',
    )
    .option('--team <slugs>', 'only for these teams, separated by commas; default: for all teams')
    .option('--expires <when>', expiresHelp)
    .action(
      async (name: string, { scopes, expires }: { scopes: string; expires?: string }, command: Command) => {
        const { team } = command.optsWithGlobals<{ team?: string }>();
        const expiresAt = expires === undefined ? undefined : parseExpiry(expires, context.now());
        const wanted = { name, scopes: heldScopes(scopes, team), expiresAt };
        const { signal } = context;
        const created = await withAdminClient(context, (admin) =>
          admin.createServiceCredential(wanted, { signal }),
        );
        const { revoked_at: _, ...shown } = created;
        finish({ json: shown, text: `${created.credential}\nThis credential is shown only once.` });
      },
    );
}

/** Each scope as it stands, for all teams, or with each team that it is for. */
function heldScopes(scopes: string, teams: string | undefined): string[] {
  const wordsOf = (text: string) => text.split(',').map((word) => word.trim());
  if (teams === undefined) return wordsOf(scopes);
  return wordsOf(scopes).flatMap((scope) => wordsOf(teams).map((team) => `${scope}@${team}`));
}

/** Prints the credential in the form of `tms admin service list`. */
function addServiceRevoke(group: Command, { context, finish }: CommandHost): void {
  group
    .command('revoke')
    .description('revoke the credential of a service; its tokens expire within 65 seconds')
    .argument('<name>', 'name of the credential')
    .action(async (name: string) => {
      const { signal } = context;
      const revoked = await withAdminClient(context, (admin) =>
        admin.revokeServiceCredential(name, { signal }),
      );
      finish({ json: revoked, text: `Service credential ${revoked.name} revoked.` });
    });
}

/** Prints `{ service_credentials: [...] }`, ordered by name, without secrets. */
function addServiceList(group: Command, { context, finish }: CommandHost): void {
  group
    .command('list')
    .description('list the credentials of services')
    .action(async () => {
      const { signal } = context;
      const pages = await withAdminClient(context, (admin) =>
        Array.fromAsync(admin.listServiceCredentials({ signal })),
      );
      const credentials = pages.flat();
      const text = credentials.map(credentialLine).join('\n') || 'There are no service credentials.';
      finish({ json: { service_credentials: credentials }, text });
    });
}

function credentialLine(credential: ServiceCredentialRecord): string {
  const { name, credential_id, scopes } = credential;
  return `${name}  ${credential_id}  ${scopes.join(',')}  ${validityText(credential)}`;
}
