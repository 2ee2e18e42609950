import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { usageError } from '../cli-error.ts';
import type { GlobalOptions } from '../global-options.ts';

/** Adds `tms brief`. Prints `{ brief }`: null if the service is away, of which it says nothing otherwise. */
export function addBrief(program: Command, { context, finish }: CommandHost): void {
  program
    .command('brief')
    .description('say what an agent should know of a folder: decisions, your tasks, what is new')
    .argument('[dir]', 'the folder of the work; default: the working directory')
    .action(async (dir: string | undefined, _: object, command: Command) => {
      finish(await brief(dir, command.optsWithGlobals<GlobalOptions>(), context));
    });
}

async function brief(
  dir: string | undefined,
  flags: GlobalOptions,
  context: CliContext,
): Promise<CommandResult> {
  const folder = resolve(context.cwd, dir ?? '.');
  const there = await stat(folder).catch(() => undefined);
  if (!there?.isDirectory()) throw usageError(`There is no folder ${folder}.`);
  const { readBrief } = await import('../hooks/read-brief.ts');
  const text = await readBrief(flags, context, { folder });
  return { json: { brief: text ?? null }, ...(text === undefined ? {} : { text }) };
}
