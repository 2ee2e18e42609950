import { resolve } from 'node:path';
import type { Item } from '@teammemory/client/item.ts';
import { findRoot } from '@teammemory/scan/git.ts';
import { goneNamesIn, readGoneNames } from '@teammemory/scan/gone-names.ts';
import { reviewDay } from '@teammemory/vocabulary/freshness.ts';
import type { Command } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { openClient } from '../clients.ts';
import type { GlobalOptions } from '../global-options.ts';
import { columns } from '../output.ts';

/** Whole notes of one page: a page may have 8 MiB. */
const notesPerPage = 50;

interface StaleFlags {
  repo?: string | true;
}

/** A note to look at: the day that has passed, or what it names that is gone. */
interface StaleNote {
  row_key: string;
  updated_by: string;
  /** YYYY-MM-DD. */
  to_be_checked_since?: string;
  gone?: string[];
}

/**
 * Adds `tms stale`. Prints `{ notes: [...] }`: those whose day has passed, or with `--repo` those that name what is gone.
 */
export function addStale(program: Command, { context, finish }: CommandHost): void {
  program
    .command('stale')
    .description(
      'list notes that should be checked: review_by or stale_after in their front matter has passed',
    )
    .argument('[prefix]', 'only row_keys that begin with this text, such as projects/web/')
    .option(
      '--repo [folder]',
      'instead, list notes that name files, folders or npm scripts that the repository once had; default: the working directory',
    )
    .action(async (prefix: string | undefined, _: object, command: Command) => {
      finish(await stale(prefix, command.optsWithGlobals<GlobalOptions & StaleFlags>(), context));
    });
}

async function stale(
  prefix: string | undefined,
  options: GlobalOptions & StaleFlags,
  context: CliContext,
): Promise<CommandResult> {
  const { repo } = options;
  const judge =
    repo === undefined ? passedDay(context) : await goneNames(repo === true ? '.' : repo, context);
  const { client } = await openClient(options, context);
  // An item that changes meanwhile comes again, and its last form counts.
  const found = new Map<string, StaleNote>();
  for await (const item of client.items({ prefix, limit: notesPerPage, signal: context.signal })) {
    const reason = item.deleted ? undefined : judge(item);
    if (item.deleted || reason === undefined) found.delete(item.row_key);
    else found.set(item.row_key, { row_key: item.row_key, updated_by: item.updated_by, ...reason });
  }
  const notes = [...found.values()].sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  return { json: { notes }, text: columns(notes.map(cellsOf)).join('\n') || undefined };
}

type Judge = (item: Item) => Pick<StaleNote, 'to_be_checked_since' | 'gone'> | undefined;

function passedDay({ now }: CliContext): Judge {
  const today = now().toISOString().slice(0, 10);
  return ({ frontmatter, updated_at }) => {
    const day = reviewDay(frontmatter, updated_at);
    return day !== undefined && day < today ? { to_be_checked_since: day } : undefined;
  };
}

async function goneNames(folder: string, { cwd, env, signal }: CliContext): Promise<Judge> {
  const names = await readGoneNames(findRoot(resolve(cwd, folder)), { env, signal });
  return ({ content }) => {
    const gone = goneNamesIn(content, names);
    return gone.length > 0 ? { gone } : undefined;
  };
}

function orderOf({ to_be_checked_since: day = '', row_key }: StaleNote): string {
  return `${day} ${row_key}`;
}

function cellsOf({ row_key, to_be_checked_since: day, gone = [], updated_by }: StaleNote): string[] {
  const reason = day === undefined ? `gone: ${gone.join(', ')}` : `to be checked since ${day}`;
  return [row_key, reason, updated_by];
}
