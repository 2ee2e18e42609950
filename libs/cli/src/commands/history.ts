import type { Item, ItemVersionPage } from '@teammemory/client/item.ts';
import { ProblemError } from '@teammemory/client/problem-error.ts';
import type { TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { type Command, InvalidArgumentError } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { CliError, usageError } from '../cli-error.ts';
import type { GlobalOptions } from '../global-options.ts';
import { openItem } from '../item-target.ts';
import { columns, minuteOf, oneLine, writeLines, writeOutput } from '../output.ts';
import { line, printable } from '../terminal.ts';
import type { RestoreOptions } from './backup.ts';

type VersionRow = ItemVersionPage['versions'][number];

/** The most that a page of a list has. */
const versionsPerPage = 200;
/** Renames that `tms log` follows. */
const maxRenames = 20;
/** Removed items that are compared: a push renames at most so many at once by default. */
const maxCandidates = 60;

interface VersionOptions extends GlobalOptions {
  version?: number;
}

/**
 * Adds `tms log`. Prints `{ row_key, versions: [...], before: [{ row_key, versions }] }`, newest first, as the API gives
 * them; `before` has the names that the file had before it was renamed.
 */
export function addLog(program: Command, { context, finish }: CommandHost): void {
  program
    .command('log')
    .description('list the versions of a file: number, time, who, tier and with which program and key')
    .argument('<file>', 'file in this folder, or a row_key')
    .action(async (file: string, _: object, command: Command) => {
      finish(await log(file, command.optsWithGlobals<GlobalOptions>(), context));
    });
}

async function log(file: string, options: GlobalOptions, context: CliContext): Promise<CommandResult> {
  const { client, rowKey } = await openItem(file, options, context);
  const names: { row_key: string; versions: VersionRow[] }[] = [];
  let name: string | undefined = rowKey;
  while (name !== undefined && names.length <= maxRenames) {
    const versions: VersionRow[] = [];
    let oldest: VersionRow | undefined;
    if (names.length > 0 && !options.json) await writeLines(context, [`before, as ${name}:`]);
    for await (const page of versionPages(client, name, context.signal)) {
      oldest = page.at(-1) ?? oldest;
      if (options.json) versions.push(...page);
      else await writeLines(context, columns(page.map(versionCells)));
    }
    names.push({ row_key: name, versions });
    const known = names.map(({ row_key }) => row_key);
    name = await formerName(client, oldest, known, context.signal);
  }
  const [{ versions } = { versions: [] }, ...before] = names;
  return { json: { row_key: rowKey, versions, before } };
}

/**
 * Returns the name that a file had before a rename. To the service a rename is a new item, and right afterwards the removal of
 * one with the same text.
 */
async function formerName(
  client: TeamMemoryClient,
  oldest: VersionRow | undefined,
  known: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  if (oldest === undefined || oldest.deleted) return undefined;
  const list = { since: oldest.updated_at, includeDeleted: true, view: 'summary', signal } as const;
  const { items } = await client.listItems({ ...list, limit: versionsPerPage });
  const removed = items.filter((row) => row.deleted && !known.includes(row.row_key)).slice(0, maxCandidates);
  for (const { row_key: candidate } of removed) {
    const { versions } = await client.listItemVersions(candidate, { limit: 2, signal });
    const [removal, last] = versions;
    if (removal?.deleted && last && !last.deleted && last.checksum === oldest.checksum) return candidate;
  }
  return undefined;
}

async function* versionPages(client: TeamMemoryClient, rowKey: string, signal: AbortSignal) {
  for (let cursor: string | undefined; ; ) {
    const page = await client.listItemVersions(rowKey, { cursor, limit: versionsPerPage, signal });
    yield page.versions;
    if (!page.has_more) return;
    if (!page.next_cursor || page.next_cursor === cursor)
      throw new CliError('invalid_answer', 'The list of versions does not advance.');
    cursor = page.next_cursor;
  }
}

function versionCells(version: VersionRow): string[] {
  const { revision, updated_at, updated_by, written_with } = version;
  const removal = version.deleted && version.erased ? 'erased, with every version' : 'removed';
  const what = version.deleted ? removal : `${version.tier}  ${version.checksum.slice(0, 19)}`;
  const { client, key_id, proposed_by } = written_with ?? {};
  const parts = [client, key_id && `key ${key_id}`, proposed_by && `proposed by ${proposed_by}`];
  const means = parts.filter(Boolean).join(', ');
  return [String(revision), minuteOf(updated_at), updated_by, what, ...(means ? [means] : [])];
}

/** Adds `tms show`. Prints the item as the API gives it; without `--json` its file. */
export function addShow(program: Command, { context, finish }: CommandHost): void {
  program
    .command('show')
    .description("print a file as the team has it; into a file or pipe, exactly the team's bytes")
    .argument('<file>', 'file in this folder, or a row_key')
    .option('--version <n>', 'an earlier version; tms log lists them', revisionFrom)
    .action(async (file: string, _: object, command: Command) => {
      finish(await show(file, command.optsWithGlobals<VersionOptions>(), context));
    });
}

async function show(file: string, options: VersionOptions, context: CliContext): Promise<CommandResult> {
  const { client, rowKey } = await openItem(file, options, context);
  const { signal } = context;
  const item =
    options.version === undefined
      ? await client.getItem(rowKey, { signal })
      : await keptVersion(client, rowKey, options.version, signal);
  if (!options.json) {
    const { fileFromItem } = await import('@teammemory/sync/format/item-file.ts');
    const bytes = fileFromItem(item);
    await writeOutput(context.stdout, context.stdout.isTTY ? printable(bytes.toString('utf8')) : bytes);
  }
  return { json: item };
}

/** Adds `tms restore`. Prints `{ row_key, version, checksum, restored }`; `restored` is false if nothing had to change. */
export function addRestore(program: Command, { context, finish }: CommandHost): void {
  program
    .command('restore')
    .description('make an earlier version of a file the newest one (--version), or restore a backup')
    .argument('<file>', 'with --version a file in this folder, or a row_key; otherwise a file of tms backup')
    .option('--version <n>', 'the version to restore; tms log lists them', revisionFrom)
    .option('--check', 'of a backup: only read it, and say whether it is whole')
    .option('--keep-keys', 'of a backup: keys that were valid then are valid again')
    .option('--revoke-keys', 'of a backup: leave all keys and service credentials revoked')
    .action(async (file: string, _: object, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & RestoreOptions & { version?: number }>();
      const { version } = options;
      if (version !== undefined) return finish(await restore(file, { ...options, version }, context));
      const { isArchive } = await import('../backup/archive.ts');
      if (!(await isArchive(file)))
        throw usageError(
          `${file} is no backup; to restore an earlier version of a file say which: --version <n>.`,
        );
      const { restoreBackup } = await import('./backup.ts');
      finish(await restoreBackup(file, options, context));
    });
}

async function restore(
  file: string,
  options: GlobalOptions & { version: number },
  context: CliContext,
): Promise<CommandResult> {
  const { signal } = context;
  const { client, rowKey, root } = await openItem(file, options, context);
  const { version } = options;
  const current = await currentItem(client, rowKey, signal);
  const old = await keptVersion(client, rowKey, version, signal);
  if (current?.checksum === old.checksum) {
    const text = line`${rowKey} already is as in version ${version}.`;
    return { json: { row_key: rowKey, version, checksum: old.checksum, restored: false }, text };
  }
  const { content, frontmatter, frontmatter_text, checksum } = old;
  // What is internal by now does not become external again with its old text.
  const tier = current?.tier ?? (await lastTier(client, rowKey, signal)) ?? old.tier;
  const base_checksum = current?.checksum ?? null;
  const item = { row_key: rowKey, content, frontmatter, frontmatter_text, checksum, tier, base_checksum };
  const { errors } = await client.pushItems([item], { signal });
  const [refusal] = errors;
  if (refusal !== undefined) {
    const { code, detail, current_checksum: currentChecksum } = refusal;
    throw new ProblemError({ status: 422, code, detail, currentChecksum });
  }
  const next = root === undefined ? '' : ' tms pull brings it into this folder.';
  const text = options.quiet ? undefined : line`${rowKey} is as in version ${version} again.${next}`;
  return { json: { row_key: rowKey, version, checksum, restored: true }, text };
}

async function currentItem(
  client: TeamMemoryClient,
  rowKey: string,
  signal: AbortSignal,
): Promise<Item | undefined> {
  try {
    return await client.getItem(rowKey, { signal });
  } catch (thrown) {
    if (thrown instanceof ProblemError && thrown.code === 'not_found') return undefined;
    throw thrown;
  }
}

/** Returns the tier that a removed item had last. */
async function lastTier(client: TeamMemoryClient, rowKey: string, signal: AbortSignal) {
  for await (const page of versionPages(client, rowKey, signal)) {
    const last = page.find((version) => !version.deleted);
    if (last !== undefined && !last.deleted) return last.tier;
  }
  return undefined;
}

async function keptVersion(
  client: TeamMemoryClient,
  rowKey: string,
  revision: number,
  signal: AbortSignal,
): Promise<Item> {
  const version = await client.getItemVersion(rowKey, revision, { signal }).catch(async (thrown) => {
    if (!(thrown instanceof ProblemError) || thrown.code !== 'not_found') throw thrown;
    // Without versions the name is wrong, and the service has said so.
    const { versions } = await client.listItemVersions(rowKey, { limit: 1, signal });
    const newest = versions[0]?.revision ?? 0;
    const why = revision > newest ? `the newest one is ${newest}` : 'it is no longer kept';
    throw new CliError(
      'no_version',
      `There is no version ${revision} of ${oneLine(rowKey)}: ${why}. tms log lists those that are kept.`,
    );
  });
  if (!version.deleted) return version as Item;
  const text = `Version ${revision} of ${oneLine(rowKey)} is its removal and has no text. tms log lists the others.`;
  throw new CliError('removed_version', text);
}

function revisionFrom(text: string): number {
  const revision = Number(text);
  if (/^\d{1,15}$/.test(text) && revision > 0) return revision;
  throw new InvalidArgumentError('A version is a whole number from 1.');
}
