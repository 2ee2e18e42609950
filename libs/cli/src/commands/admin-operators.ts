import type { OperatorRecord } from '@teammemory/client/rpc/operators.ts';
import type { Command } from 'commander';
import type { CommandHost } from '../cli-context.ts';
import { withAdminClient } from '../clients.ts';
import { expiresHelp, parseExpiry, validityText } from '../expiry.ts';

/** Adds `tms admin operator create`, `revoke` and `list`. */
export function addOperatorCommands(admin: Command, host: CommandHost): void {
  const group = admin.command('operator').description('administrators of the installation, by name');
  addCreate(group, host);
  addRevoke(group, host);
  addList(group, host);
}

/** Prints `{ token_id, token, name, created_at, expires_at }`. */
function addCreate(group: Command, { context, finish }: CommandHost): void {
  group
    .command('create')
    .description('make an administrator with a token of their own')
    .argument('<name>', 'a to z, 0 to 9 and hyphens; a name can be used only once')
    .option('--expires <when>', expiresHelp)
    .action(async (name: string, { expires }: { expires?: string }) => {
      const expiresAt = expires === undefined ? undefined : parseExpiry(expires, context.now());
      const { signal } = context;
      const created = await withAdminClient(context, (admin) =>
        admin.createOperator({ name, expiresAt }, { signal }),
      );
      const { revoked_at: _, ...shown } = created;
      const text = `${created.token}\nThis token is shown only once. ${name} sets it as TMS_ADMIN_TOKEN.`;
      finish({ json: shown, text });
    });
}

/** Prints the operator in the form of `tms admin operator list`. */
function addRevoke(group: Command, { context, finish }: CommandHost): void {
  group
    .command('revoke')
    .description('end the rights of an operator, within 65 seconds')
    .argument('<name>', 'name of the operator')
    .option('--force', 'also the last one while the service runs with BOOTSTRAP_TOKEN=off')
    .action(async (name: string, { force }: { force?: boolean }) => {
      const { signal } = context;
      const revoked = await withAdminClient(context, (admin) =>
        admin.revokeOperator(name, { signal, force }),
      );
      finish({ json: revoked, text: `Operator ${revoked.name} revoked.` });
    });
}

/** Prints `{ operators: [...] }`, ordered by name, without tokens. */
function addList(group: Command, { context, finish }: CommandHost): void {
  group
    .command('list')
    .description('list the operators')
    .action(async () => {
      const { signal } = context;
      const pages = await withAdminClient(context, (admin) =>
        Array.fromAsync(admin.listOperators({ signal })),
      );
      const operators = pages.flat();
      const text = operators.map(lineOf).join('\n') || 'There are no operators.';
      finish({ json: { operators }, text });
    });
}

function lineOf(operator: OperatorRecord): string {
  return `${operator.name}  ${operator.token_id}  ${validityText(operator)}`;
}
