import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import type { CommandHost, CommandResult } from '../command-host.ts';
import type { GlobalOptions } from '../global-options.ts';
import { openClient } from '../open-client.ts';
import { printable } from '../printable.ts';
import { makeDirectory } from '../sync/make-directory.ts';
import { pullFolder } from '../sync/pull-folder.ts';
import { openSyncState } from '../sync/sync-state.ts';

/** Adds `tms pull`. Prints `{ written, removed, unchanged, conflicts, cursor }`; exit code 1 when there is a conflict. */
export function addPull(program: Command, { context, finish }: CommandHost): void {
  program
    .command('pull')
    .description('bring what changed into a folder')
    .argument('<folder>', 'made where there is none')
    .action(async (folder: string, _: object, command: Command) => {
      finish(await pull(folder, command.optsWithGlobals<GlobalOptions>(), context));
    });
}

async function pull(folder: string, options: GlobalOptions, context: CliContext): Promise<CommandResult> {
  const { client, settings } = await openClient(options, context);
  const path = resolve(context.cwd, folder);
  await makeDirectory(path);
  const root = await realpath(path);
  const state = await openSyncState(root, settings);
  const summary = await pullFolder(root, { client, state, signal: context.signal });
  for (const { row_key, code, detail, file } of summary.conflicts) {
    const place = file === undefined ? '' : ` The other version is ${file}: merge it, delete it, then push.`;
    context.stderr.write(`${printable(`tms: ${row_key}: ${detail}${place} (${code})`)}\n`);
  }
  const { written, removed, unchanged, conflicts } = summary;
  const text = `written ${written}, removed ${removed}, unchanged ${unchanged}, conflicts ${conflicts.length}`;
  return { json: summary, text, failed: conflicts.length > 0 };
}
