import { eraseItems } from '@teammemory/sync/erase.ts';
import type { SyncClient } from '@teammemory/sync/service.ts';
import type { Workspace } from '@teammemory/sync/state/workspace.ts';
import type { RefusedFile, SyncSummary } from '@teammemory/sync/summary.ts';
import type { CliContext } from './cli-context.ts';
import { CliError, usageError } from './cli-error.ts';
import { askLine, canAsk } from './input.ts';
import { printable } from './terminal.ts';

/** Names that a question shows. */
const maxNames = 10;

/**
 * Asks whether items are to be erased. Throws CliError `cancelled` unless the answer is yes, and a usage error where nobody
 * can be asked.
 */
export async function confirmErasure(names: readonly string[], context: CliContext): Promise<void> {
  if (!canAsk(context))
    throw usageError('An erasure cannot be undone. Add --yes, or run this where it can ask.');
  if (!(await wantsErasure(names, context))) throw new CliError('cancelled', 'Nothing was erased.');
}

/** Asks whether items are to be erased, and returns whether the answer was yes. */
async function wantsErasure(names: readonly string[], context: CliContext): Promise<boolean> {
  const shown = names.slice(0, maxNames).map(printable).join(', ');
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  const question = `Erase for the whole team, with every version: ${shown}${more}? It cannot be undone (yes/no)`;
  return /^y(es)?$/i.test(await askLine(context, question, 'no'));
}

/** Returns why items were not erased, one line each, for standard error. */
export function refusedErasures(refused: readonly RefusedFile[], show: (rowKey: string) => string): string[] {
  return refused.map(({ row_key, code, detail }) => {
    const reason =
      code === 'conflict' ? 'Others changed it since the last sync; run tms sync first.' : detail;
    return printable(`${show(row_key)} was not erased: ${reason} (${code})`);
  });
}

/**
 * Erases the team's copies of files that a run found private, once the user says so where `asks`, and notes that in the
 * summary of the run. Otherwise they stay, and the summary says how to erase them.
 */
export async function erasePrivate(
  run: {
    workspace: Workspace;
    client: SyncClient;
    context: CliContext;
    show: (rowKey: string) => string;
    asks: boolean;
  },
  summary: SyncSummary,
): Promise<void> {
  const { workspace, client, context, show, asks } = run;
  const rowKeys = summary.turned_private;
  if (rowKeys.length === 0 || (asks && !(await wantsErasure(rowKeys.map(show), context)))) return;
  const { signal } = context;
  const { erased, rejected } = await eraseItems(workspace, client, rowKeys, { keepLocal: true, signal });
  summary.erased = erased;
  summary.rejected.push(...rejected);
  summary.turned_private = rowKeys.filter((rowKey) => !erased.includes(rowKey));
  summary.private = [...summary.private, ...erased].sort();
}
