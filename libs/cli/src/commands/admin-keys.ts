import type { KeyRecord } from '@teammemory/client/rpc/accounts.ts';
import {
  type Access,
  accesses,
  maxItemWritesPerMinute,
  minItemWritesPerMinute,
} from '@teammemory/vocabulary/access.ts';
import { type Tier, tiers } from '@teammemory/vocabulary/tier.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandHost } from '../cli-context.ts';
import { requiredTeam, withAdminClient } from '../clients.ts';
import { expiresHelp, parseExpiry, parseSpan, validityText } from '../expiry.ts';

interface KeyCreateOptions {
  member: string;
  tier: Tier;
  access?: Access;
  itemWritesPerMinute?: number;
  expires?: string;
}

/** Adds `tms admin key create`, `rotate`, `revoke` and `list`. */
export function addKeyCommands(admin: Command, host: CommandHost): void {
  const group = admin.command('key').description('keys');
  addKeyCreate(group, host);
  addKeyRotate(group, host);
  addKeyRevoke(group, host);
  addKeyList(group, host);
}

/** Prints `{ key_id, key, team, member, tier, access, item_writes_per_minute, created_at, expires_at }`. */
function addKeyCreate(group: Command, { context, finish }: CommandHost): void {
  group
    .command('create')
    .description('create a key for a member of a team (--team)')
    .requiredOption('--member <handle>', 'the member who uses the key')
    .addOption(new Option('--tier <tier>', 'what the key may see').choices(tiers).makeOptionMandatory())
    .addOption(
      new Option(
        '--access <access>',
        'what the key may do: read pulls and asks, propose also pushes items that wait for a reviewer, own pushes new items and changes those of its member, write changes everything (default: write for tier team, own for external)',
      ).choices(accesses),
    )
    .option(
      '--item-writes-per-minute <number>',
      'a limit of its own for this key, 1 to 1000000 (default: that of the server)',
      itemWrites,
    )
    .option('--expires <when>', expiresHelp)
    .action(
      async ({ member, tier, access, itemWritesPerMinute, expires }: KeyCreateOptions, command: Command) => {
        const team = requiredTeam(command);
        const expiresAt = expires === undefined ? undefined : parseExpiry(expires, context.now());
        const { signal } = context;
        const created = await withAdminClient(context, (admin) =>
          admin.createKey({ team, member, tier, access, itemWritesPerMinute, expiresAt }, { signal }),
        );
        const { key_id, key, created_at, expires_at, item_writes_per_minute } = created;
        const record = { key_id, key, team, member: created.member, tier: created.tier };
        finish({
          json: { ...record, access: created.access, item_writes_per_minute, created_at, expires_at },
          text: `${key}\nThis key is shown only once.`,
        });
      },
    );
}

/** Prints `{ key_id, key, member, …, replaced }`: the new key, and the old one, both as `tms admin key list` prints them. */
function addKeyRotate(group: Command, { context, finish }: CommandHost): void {
  group
    .command('rotate')
    .description('replace a key by a new one like it; the old one goes on working for a while')
    .argument('<key_id>', 'id of the old key, not the key itself')
    .option(
      '--overlap <span>',
      'how long the old key goes on working: 0 or a span such as 30m, 12h or 30d',
      '24h',
    )
    .action(async (keyId: string, { overlap }: { overlap: string }) => {
      const overlapSeconds = parseSpan('--overlap', overlap) / 1000;
      const { signal } = context;
      const rotated = await withAdminClient(context, (admin) =>
        admin.rotateKey(keyId, { overlapSeconds }, { signal }),
      );
      const end = `The old key ${keyId} works until ${rotated.replaced.expires_at}.`;
      finish({ json: rotated, text: `${rotated.key}\nThis key is shown only once. ${end}` });
    });
}

/** Prints the key in the form of `tms admin key list`. */
function addKeyRevoke(group: Command, { context, finish }: CommandHost): void {
  group
    .command('revoke')
    .description('revoke a key; it stops working at the public API within 5 seconds')
    .argument('<key_id>', 'id of the key, not the key itself')
    .action(async (keyId: string) => {
      const { signal } = context;
      const key = await withAdminClient(context, (admin) => admin.revokeKey(keyId, { signal }));
      finish({ json: key, text: `Key ${key.key_id} revoked.` });
    });
}

/** Prints `{ team, keys: [...] }`, oldest first, without secrets. */
function addKeyList(group: Command, { context, finish }: CommandHost): void {
  group
    .command('list')
    .description('list the keys of a team (--team)')
    .action(async (_: object, command: Command) => {
      const team = requiredTeam(command);
      const { signal } = context;
      const pages = await withAdminClient(context, (admin) =>
        Array.fromAsync(admin.listKeys(team, { signal })),
      );
      const keys = pages.flat();
      finish({ json: { team, keys }, text: keys.map(keyLine).join('\n') || `${team} has no keys.` });
    });
}

function keyLine(key: KeyRecord): string {
  const { key_id, member, tier, access, item_writes_per_minute: limit, last_used_at } = key;
  const writes = limit === null ? '' : `  ${limit} item writes a minute`;
  const app = key.client_id === '' ? '' : `  connected app ${key.client_id}`;
  const origin = key.for_sign_in ? '  for a sign-in' : app;
  return `${key_id}  ${member}  ${tier}  ${access}${writes}${origin}  ${validityText(key)}  last used ${last_used_at ?? 'never'}`;
}

function itemWrites(text: string): number {
  const limit = Number(text);
  const isWithin = limit >= minItemWritesPerMinute && limit <= maxItemWritesPerMinute;
  if (/^\d{1,7}$/.test(text) && isWithin) return limit;
  throw new InvalidArgumentError(
    `It must be a whole number from ${minItemWritesPerMinute} to ${maxItemWritesPerMinute}.`,
  );
}
