import { canonicalTier, type Tier } from '@teammemory/vocabulary/tier.ts';
import type { Command } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { usageError } from '../cli-error.ts';
import { openClient } from '../clients.ts';
import type { GlobalOptions } from '../global-options.ts';
import { createProgress } from '../progress.ts';
import { pushFiles } from '../sync/push-files.ts';
import { pushSources } from '../sync/push-source.ts';
import { printable } from '../terminal.ts';

interface PushOptions extends GlobalOptions {
  tier?: string;
}

/** Adds `tms push`. Prints `{ pushed, unchanged, rejected, errors }`. The exit code is 1 if a file was rejected. */
export function addPush(program: Command, { context, finish }: CommandHost): void {
  program
    .command('push')
    .description('push the Markdown files that changed')
    .argument('<path...>', 'folders, searched for Markdown files, or single files')
    .option('--tier <tier>', "team or external; default: the front matter's audience, else team")
    .action(async (paths: string[], _: object, command: Command) => {
      finish(await push(paths, command.optsWithGlobals<PushOptions>(), context));
    });
}

async function push(paths: string[], options: PushOptions, context: CliContext): Promise<CommandResult> {
  const tier = askedTier(options.tier);
  const { client, settings } = await openClient(options, context);
  const sources = await pushSources(paths, context.cwd, settings);
  const total = sources.reduce((sum, { files }) => sum + files.length, 0);
  const progress = await createProgress(context.stderr, {
    quiet: options.quiet === true,
    verb: 'pushing',
    now: context.now,
  });
  progress.start(total);
  let done = 0;
  const wait = async (seconds: number) => {
    progress.waiting(seconds);
    await context.sleep(seconds * 1000, context.signal);
  };
  try {
    const summary = await pushFiles(sources, {
      client,
      wait,
      tier,
      advance: (files) => {
        done += files;
        progress.done(done);
      },
      signal: context.signal,
    });
    for (const { row_key, code, detail } of summary.errors) {
      context.stderr.write(`${printable(`tms: ${row_key}: ${detail} (${code})`)}\n`);
    }
    const { pushed, unchanged, rejected } = summary;
    const text = `pushed ${pushed}, unchanged ${unchanged}, rejected ${rejected}`;
    return { json: summary, text, failed: rejected > 0 };
  } finally {
    progress.stop();
  }
}

function askedTier(name: string | undefined): Tier | 'admin' | undefined {
  if (name === undefined) return undefined;
  const tier = canonicalTier(name);
  if (tier === undefined) throw usageError('--tier must be team or external.');
  return tier;
}
