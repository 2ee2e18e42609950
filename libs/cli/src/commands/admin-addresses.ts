import type { Command } from 'commander';
import type { CommandHost } from '../cli-context.ts';
import { requiredTeam, withAdminClient } from '../clients.ts';

/** Adds `tms admin address add`, `remove` and `list`. */
export function addAddressCommands(admin: Command, host: CommandHost): void {
  const group = admin.command('address').description('mail addresses that people sign in with');
  addAddressAdd(group, host);
  addAddressRemove(group, host);
  addAddressList(group, host);
}

/** Prints `{ team, address, member, created_at }`. */
function addAddressAdd(group: Command, { context, finish }: CommandHost): void {
  group
    .command('add')
    .description('let whoever proves to have an address sign in as a member of a team (--team)')
    .argument('<address>', 'a mail address')
    .requiredOption('--member <handle>', 'the member who has it')
    .action(async (address: string, { member }: { member: string }, command: Command) => {
      const team = requiredTeam(command);
      const { signal } = context;
      const added = await withAdminClient(context, (admin) =>
        admin.addSignInAddress({ team, address, member }, { signal }),
      );
      finish({
        json: { team, ...added },
        text: `${added.member} signs in to ${team} with ${added.address}.`,
      });
    });
}

/** Prints `{ team, address }`. */
function addAddressRemove(group: Command, { context, finish }: CommandHost): void {
  group
    .command('remove')
    .description('let nobody sign in to a team (--team) with an address any more; open sessions go on')
    .argument('<address>', 'a mail address')
    .action(async (address: string, _: object, command: Command) => {
      const team = requiredTeam(command);
      const { signal } = context;
      await withAdminClient(context, (admin) => admin.removeSignInAddress({ team, address }, { signal }));
      finish({ json: { team, address }, text: `Nobody signs in to ${team} with ${address} any more.` });
    });
}

/** Prints `{ team, addresses: [...] }`, in their order. */
function addAddressList(group: Command, { context, finish }: CommandHost): void {
  group
    .command('list')
    .description('list the addresses that people sign in to a team (--team) with')
    .action(async (_: object, command: Command) => {
      const team = requiredTeam(command);
      const { signal } = context;
      const pages = await withAdminClient(context, (admin) =>
        Array.fromAsync(admin.listSignInAddresses(team, { signal })),
      );
      const addresses = pages.flat();
      const lines = addresses.map(({ address, member }) => `${address}  ${member}`);
      finish({ json: { team, addresses }, text: lines.join('\n') || `${team} has no addresses.` });
    });
}
