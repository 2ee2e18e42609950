import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { openClient } from '../clients.ts';
import type { GlobalOptions } from '../global-options.ts';
import { makeDirectory } from '../sync/file-system.ts';
import { pullFolder } from '../sync/pull-folder.ts';
import { openSyncState } from '../sync/sync-state.ts';
import { printable } from '../terminal.ts';

/** File names shown in a message; the others are counted. */
const maxNames = 20;

interface PullOptions extends GlobalOptions {
  allowInstructions?: boolean;
}

/**
 * Adds `tms pull`. Prints `{ written, removed, unchanged, conflicts, cursor }`, and `instructions` and `skipped` if
 * there are any. The exit code is 1 if there is a conflict.
 */
export function addPull(program: Command, { context, finish }: CommandHost): void {
  program
    .command('pull')
    .description('write what changed into a folder')
    .argument('<folder>', 'created if it does not exist')
    .option(
      '--allow-instructions',
      'also write files from guests that tools take for instructions, such as AGENTS.md',
    )
    .action(async (folder: string, _: object, command: Command) => {
      finish(await pull(folder, command.optsWithGlobals<PullOptions>(), context));
    });
}

async function pull(folder: string, options: PullOptions, context: CliContext): Promise<CommandResult> {
  const { client, settings } = await openClient(options, context);
  const path = resolve(context.cwd, folder);
  await makeDirectory(path);
  const root = await realpath(path);
  const state = await openSyncState(root, settings);
  const summary = await pullFolder(root, {
    client,
    state,
    instructions: options.allowInstructions ? 'take' : 'skip',
    signal: context.signal,
  });
  for (const { row_key, code, detail, file } of summary.conflicts) {
    const place =
      file === undefined ? '' : ` The other version is in ${file}: merge it, delete that file, then push.`;
    context.stderr.write(`${printable(`tms: ${row_key}: ${detail}${place} (${code})`)}\n`);
  }
  const { written, removed, unchanged, conflicts, instructions = [], skipped = [] } = summary;
  if (instructions.length > 0) {
    const message = `tms: agents may take these files for instructions; read them first: ${namesOf(instructions)}`;
    context.stderr.write(`${printable(message)}\n`);
  }
  if (skipped.length > 0) {
    const message = `tms: not written, because a guest may have written them and agents would take them for instructions: ${namesOf(skipped)} (--allow-instructions writes them)`;
    context.stderr.write(`${printable(message)}\n`);
  }
  const counts = `written ${written}, removed ${removed}, unchanged ${unchanged}, conflicts ${conflicts.length}`;
  const text = skipped.length > 0 ? `${counts}, skipped ${skipped.length}` : counts;
  return { json: summary, text, failed: conflicts.length > 0 };
}

function namesOf(rowKeys: readonly string[]): string {
  const names = rowKeys.slice(0, maxNames).map((rowKey) => rowKey.replaceAll('\n', ' '));
  const more = rowKeys.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
