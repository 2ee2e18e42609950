import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { openClient } from '../clients.ts';
import type { GlobalOptions } from '../settings.ts';
import { makeDirectory } from '../sync/file-system.ts';
import { pullFolder } from '../sync/pull-folder.ts';
import { openSyncState } from '../sync/sync-state.ts';
import { printable } from '../terminal.ts';

/** Names shown of what was skipped or may be obeyed; the rest is counted. */
const maxNames = 20;

interface PullOptions extends GlobalOptions {
  allowInstructions?: boolean;
}

/**
 * Adds `tms pull`. Prints `{ written, removed, unchanged, conflicts, cursor }`, with
 * `instructions` and `skipped` where there are any; exit code 1 when there is a conflict.
 */
export function addPull(program: Command, { context, finish }: CommandHost): void {
  program
    .command('pull')
    .description('bring what changed into a folder')
    .argument('<folder>', 'made where there is none')
    .option('--allow-instructions', 'also take files of guests that tools obey, such as AGENTS.md')
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
    const place = file === undefined ? '' : ` The other version is ${file}: merge it, delete it, then push.`;
    context.stderr.write(`${printable(`tms: ${row_key}: ${detail}${place} (${code})`)}\n`);
  }
  const { written, removed, unchanged, conflicts, instructions = [], skipped = [] } = summary;
  if (instructions.length > 0) {
    const told = `tms: tools may obey these files, read them before an agent does: ${namesOf(instructions)}`;
    context.stderr.write(`${printable(told)}\n`);
  }
  if (skipped.length > 0) {
    const told = `tms: not written, because tools would obey them and a guest may have written them: ${namesOf(skipped)} (--allow-instructions takes them)`;
    context.stderr.write(`${printable(told)}\n`);
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
