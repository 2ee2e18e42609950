import type { ErasedTexts } from '@teammemory/client/rpc/content-admin.ts';
import type { Command } from 'commander';
import type { CliContext, CommandHost } from '../cli-context.ts';
import { CliError, usageError } from '../cli-error.ts';
import { requiredTeam, withAdminClient } from '../clients.ts';
import { askLine, canAsk } from '../input.ts';

interface EraseOptions {
  dryRun?: boolean;
  yes?: boolean;
}

/** What a member wrote, by kind. */
type Erased = ErasedTexts & { ratings: number };

/** Adds `tms admin member erase`. Prints `{ team, member, dry_run, items, decisions, versions, proposals, ratings }`. */
export function addMemberErase(members: Command, { context, finish }: CommandHost): void {
  members
    .command('erase')
    .description('erase all that a member wrote in a team (--team), with every version, for good')
    .argument('<handle>', 'handle of the member, who may have been removed')
    .option('--dry-run', 'only count what would be erased')
    .option('--yes', 'do not ask')
    .action(async (handle: string, { dryRun = false, yes = false }: EraseOptions, command: Command) => {
      const team = requiredTeam(command);
      const count = (onlyCount: boolean) => eraseAll({ team, handle, dryRun: onlyCount }, context);
      const found = await count(true);
      const isNothing = Object.values(found).every((amount) => amount === 0);
      if (!dryRun && !yes && !isNothing) await confirm({ team, handle, found }, context);
      const done = dryRun || isNothing ? found : await count(false);
      const text = dryRun ? `${amounts(done)} would be erased.` : `${amounts(done)} erased, for good.`;
      finish({ json: { team, member: handle, dry_run: dryRun, ...done }, text });
    });
}

async function eraseAll(
  erasure: { team: string; handle: string; dryRun: boolean },
  context: CliContext,
): Promise<Erased> {
  const all: Erased = { items: 0, decisions: 0, versions: 0, proposals: 0, ratings: 0 };
  const { signal } = context;
  await withAdminClient(context, async (admin) => {
    for await (const page of admin.eraseMemberTexts(erasure, { signal }))
      for (const name of ['items', 'decisions', 'versions', 'proposals'] as const) all[name] += page[name];
    all.ratings = await admin.eraseMemberRatings(erasure, { signal });
  });
  return all;
}

async function confirm(
  { team, handle, found }: { team: string; handle: string; found: Erased },
  context: CliContext,
): Promise<void> {
  const what = `This erases what ${handle} wrote in ${team}: ${amounts(found)}. It cannot be undone.`;
  if (!canAsk(context)) throw usageError(`${what} Add --yes to do it.`);
  context.stderr.write(`${what}\n`);
  const answer = await askLine(context, `Type ${handle} to erase it`);
  if (answer !== handle) throw new CliError('cancelled', 'Nothing was erased.');
}

function amounts({ items, decisions, versions, proposals, ratings }: Erased): string {
  return `${items} items, ${decisions} decisions, ${versions} earlier versions, ${proposals} proposals and ${ratings} ratings`;
}
