import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { eraseItems, findErasable } from '@teammemory/sync/erase.ts';
import { moveFile, removeFiles } from '@teammemory/sync/move.ts';
import { resolveConflict } from '@teammemory/sync/resolve.ts';
import type { Command } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { usageError } from '../cli-error.ts';
import { confirmErasure, refusedErasures } from '../erasure.ts';
import type { GlobalOptions } from '../global-options.ts';
import { line, lines } from '../terminal.ts';
import { openTarget, rootOf, rowKeyAt, shownPath, withWorkspace } from '../workspace-command.ts';

interface RemoveOptions extends GlobalOptions {
  keep?: boolean;
  erase?: boolean;
  yes?: boolean;
}

/** Adds `tms rm`. Prints `{ removed: [row_key, …] }`, with `--erase` `{ erased: [row_key, …], rejected: [...] }`. */
export function addRemove(program: Command, { context, finish }: CommandHost): void {
  program
    .command('rm')
    .description('remove files here; the next push or sync removes them from the team')
    .argument('<paths...>', 'files, or folders with all files in them')
    .option(
      '--keep',
      "remove only the team's copies; the files stay here, and must be private or named in .tmsignore",
    )
    .option('--erase', "remove the team's copies now, with every earlier version, for good")
    .option('-y, --yes', 'with --erase: do not ask')
    .action(async (paths: string[], _: object, command: Command) => {
      const options = command.optsWithGlobals<RemoveOptions>();
      if (options.erase) finish(await erase(paths, options, context));
      else finish(await remove(paths, options, context));
    });
}

async function erase(paths: string[], options: RemoveOptions, context: CliContext): Promise<CommandResult> {
  const { root, client } = await openTarget(options, context, paths[0], { mayCreate: false });
  return withWorkspace(root, {}, async (workspace) => {
    const named = await Promise.all(paths.map((path) => rowKeyAt(workspace, path, context)));
    if (named.includes('')) throw usageError('tms rm removes files in a folder, not the whole folder.');
    const rowKeys = await findErasable(workspace, named);
    const show = (rowKey: string) => shownPath(root, rowKey, context);
    if (!options.yes) await confirmErasure(rowKeys.map(show), context);
    const keepLocal = options.keep === true;
    const { signal } = context;
    const result = await eraseItems(workspace, client, rowKeys, { keepLocal, signal });
    for (const text of refusedErasures(result.rejected, show)) context.stderr.write(`tms: ${text}\n`);
    const stays = keepLocal ? ' (the file stays here)' : '';
    const texts = result.erased.map((rowKey) => line`erased ${show(rowKey)}${stays}`);
    const next = line`${result.erased.length} erased for the team, with every version`;
    return {
      json: result,
      text: options.quiet ? undefined : lines([...texts, next]),
      failed: result.rejected.length > 0,
    };
  });
}

async function remove(paths: string[], options: RemoveOptions, context: CliContext): Promise<CommandResult> {
  const root = await rootOf(context, paths[0]);
  return withWorkspace(root, {}, async (workspace) => {
    const rowKeys = await Promise.all(paths.map((path) => rowKeyAt(workspace, path, context)));
    if (rowKeys.includes('')) throw usageError('tms rm removes files in a folder, not the whole folder.');
    const removed = await removeFiles(workspace, rowKeys, { keepLocal: options.keep === true });
    const done = options.keep ? 'stays here; the team loses' : 'removed';
    const texts = removed.map((rowKey) => line`${done} ${shownPath(root, rowKey, context)}`);
    const next = line`${removed.length} removed; tms push or tms sync tells the team, which can still read earlier versions (tms rm --erase)`;
    return { json: { removed }, text: options.quiet ? undefined : lines([...texts, next]) };
  });
}

/** Adds `tms mv`. Prints `{ renamed: [{ from, to }] }`. */
export function addMove(program: Command, { context, finish }: CommandHost): void {
  program
    .command('mv')
    .description('rename a file or folder, so that the team sees a rename')
    .argument('<from>', 'file or folder')
    .argument('<to>', 'new name, or a folder that it goes into')
    .action(async (from: string, to: string, _: object, command: Command) => {
      finish(await move(from, to, command.optsWithGlobals<GlobalOptions>(), context));
    });
}

async function move(
  from: string,
  to: string,
  options: GlobalOptions,
  context: CliContext,
): Promise<CommandResult> {
  const root = await rootOf(context, from);
  const there = await stat(resolve(context.cwd, to)).catch(() => undefined);
  const place = there?.isDirectory() && !(await isSame(from, to, context)) ? join(to, basename(from)) : to;
  return withWorkspace(root, {}, async (workspace) => {
    const source = await rowKeyAt(workspace, from, context);
    const target = await rowKeyAt(workspace, place, context);
    if (!source || !target) throw usageError('tms mv renames files and folders in a folder, not the folder.');
    const renamed = await moveFile(workspace, source, target);
    const texts = renamed.map(
      (each) => line`renamed ${shownPath(root, each.from, context)} -> ${shownPath(root, each.to, context)}`,
    );
    return { json: { renamed }, text: options.quiet ? undefined : lines(texts) };
  });
}

/** True for another spelling of one name, such as `Notes` and `notes` where the file system ignores case. */
async function isSame(one: string, other: string, { cwd }: CliContext): Promise<boolean> {
  const [first, second] = await Promise.all(
    [one, other].map((path) => stat(resolve(cwd, path)).catch(() => undefined)),
  );
  return first !== undefined && first.ino !== 0 && first.ino === second?.ino && first.dev === second.dev;
}

interface ResolveOptions extends GlobalOptions {
  mine?: boolean;
  theirs?: boolean;
  merged?: boolean;
}

/** Adds `tms resolve`. Prints `{ row_key, resolved: "mine" | "theirs" | "merged" }`. */
export function addResolve(program: Command, { context, finish }: CommandHost): void {
  program
    .command('resolve')
    .description('end the conflict of a file')
    .argument('<file>', 'the file, not the copy beside it')
    .option('--mine', 'the file as it is here replaces the other version')
    .option('--theirs', 'the other version replaces the file')
    .option('--merged', 'the file here has both versions put together')
    .action(async (file: string, _: object, command: Command) => {
      finish(await resolveFile(file, command.optsWithGlobals<ResolveOptions>(), context));
    });
}

async function resolveFile(
  file: string,
  options: ResolveOptions,
  context: CliContext,
): Promise<CommandResult> {
  const choices = (['mine', 'theirs', 'merged'] as const).filter((name) => options[name]);
  const [choice] = choices;
  if (choice === undefined || choices.length > 1)
    throw usageError('Choose one of --mine, --theirs, --merged.');
  const root = await rootOf(context, file);
  return withWorkspace(root, {}, async (workspace) => {
    const rowKey = await rowKeyAt(workspace, file, context);
    await resolveConflict(workspace, rowKey, choice);
    const next = choice === 'theirs' ? '' : '; tms sync sends it';
    const text = `${shownPath(root, rowKey, context)} is resolved (${choice})${next}`;
    return { json: { row_key: rowKey, resolved: choice }, text: options.quiet ? undefined : text };
  });
}
