import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Workspace } from '@teammemory/sync/state/workspace.ts';
import type { DoneAction, SyncEvent, SyncOptions, SyncSummary } from '@teammemory/sync/summary.ts';
import { synchronize } from '@teammemory/sync/synchronize.ts';
import { watchWorkspace } from '@teammemory/sync/watch.ts';
import { canonicalTier, type Tier } from '@teammemory/vocabulary/tier.ts';
import type { Command } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { usageError } from '../cli-error.ts';
import { erasePrivate } from '../erasure.ts';
import type { GlobalOptions } from '../global-options.ts';
import { canAsk } from '../input.ts';
import { createProgress, type Progress } from '../progress.ts';
import { complaints, hasFailed, planLines, summaryLines } from '../sync-report.ts';
import { lines, type Paint, printable, printableJson } from '../terminal.ts';
import {
  findRoot,
  openTarget,
  requireKnown,
  rowKeyAt,
  shownPath,
  type Target,
  withWorkspace,
} from '../workspace-command.ts';

interface RunOptions extends GlobalOptions {
  dryRun?: boolean;
  watch?: boolean;
  allowRemovals?: boolean;
  allowInstructions?: boolean;
  erasePrivate?: boolean;
  tier?: string;
  strict?: boolean;
}

type Direction = SyncOptions['direction'];

const verbs: Record<Direction, string> = { both: 'syncing', push: 'pushing', pull: 'pulling' };

/** Adds `tms sync`. Prints the summary of libs/sync. The exit code is 1 if a conflict is open or a file was refused. */
export function addSync(program: Command, host: CommandHost): void {
  const command = program
    .command('sync')
    .description('bring a folder and the team in step, in both directions')
    .argument('[folder]', 'default: the folder around the working directory')
    .option('--watch', 'go on with every change, here and there, until Ctrl-C');
  addInstructionsOption(addEraseOption(addTierOption(addRunOptions(command))));
  command.action(async (folder: string | undefined, _: object, used: Command) => {
    const paths = folder === undefined ? [] : [folder];
    host.finish(await run('both', paths, used.optsWithGlobals<RunOptions>(), host));
  });
}

/** Adds `tms push`, which is `tms sync` in one direction. */
export function addPush(program: Command, host: CommandHost): void {
  const command = program
    .command('push')
    .description('send what changed here to the team')
    .argument('[paths...]', 'files and folders; default: the folder around the working directory');
  addEraseOption(addTierOption(addRunOptions(command)));
  command.action(async (paths: string[], _: object, used: Command) => {
    host.finish(await run('push', paths, used.optsWithGlobals<RunOptions>(), host));
  });
}

/** Adds `tms pull`, which is `tms sync` in the other direction. */
export function addPull(program: Command, host: CommandHost): void {
  const command = program
    .command('pull')
    .description('write here what changed for the team')
    .argument('[folder]', 'created if it does not exist; default: the folder around the working directory');
  addInstructionsOption(addRunOptions(command));
  command.action(async (folder: string | undefined, _: object, used: Command) => {
    const paths = folder === undefined ? [] : [folder];
    host.finish(await run('pull', paths, used.optsWithGlobals<RunOptions>(), host));
  });
}

function addRunOptions(command: Command): Command {
  return command
    .option('-n, --dry-run', 'show what a run would do, and change nothing')
    .option('--allow-removals', 'also carry out removals of more than a quarter of the files')
    .option('--strict', 'end with 1 if a file here cannot be pushed');
}

function addTierOption(command: Command): Command {
  return command.option('--tier <tier>', "team or external; default: the front matter's audience, else team");
}

function addEraseOption(command: Command): Command {
  return command.option(
    '--erase-private',
    "erase the team's copies of files that are private now, with every version, for good",
  );
}

function addInstructionsOption(command: Command): Command {
  return command.option(
    '--allow-instructions',
    'also write files from guests that tools take for instructions, such as AGENTS.md',
  );
}

async function run(
  direction: Direction,
  paths: readonly string[],
  options: RunOptions,
  { context, paint }: CommandHost,
): Promise<CommandResult> {
  const tier = askedTier(options.tier);
  if (options.watch && options.dryRun) throw usageError('--watch and --dry-run cannot be combined.');
  if (options.watch && options.erasePrivate)
    throw usageError('--watch and --erase-private cannot be combined.');
  if (direction === 'push') await requirePlaces(paths, context);
  const target = await openTarget(options, context, paths[0], { mayCreate: options.dryRun !== true });
  // A dry run needs the lock, too: it remembers what the service has.
  return withWorkspace(target.root, {}, async (workspace) => {
    const rowKeys = await Promise.all(paths.map((path) => rowKeyAt(workspace, path, context)));
    if (direction === 'push') {
      for (const [index, rowKey] of rowKeys.entries()) {
        await requireKnown(workspace, rowKey, paths[index] ?? rowKey);
      }
    }
    const chosen: Chosen = {
      direction,
      tier,
      allowRemovals: options.allowRemovals === true,
      allowInstructions: options.allowInstructions === true,
      allowSecrets: context.env.SECRET_SCAN === 'off',
      signal: context.signal,
      // Every file is below the root itself.
      ...(rowKeys.length === 0 || rowKeys.includes('') ? {} : { paths: rowKeys }),
    };
    const work = { workspace, target, chosen, options, context, paint };
    return options.watch ? watch(work) : once(work);
  });
}

/** What is pushed must be in a folder that is there; a file may have been removed. */
async function requirePlaces(paths: readonly string[], { cwd }: CliContext): Promise<void> {
  for (const path of paths) {
    const place = resolve(cwd, path);
    if (existsSync(place) || (await findRoot(place)) !== undefined) continue;
    throw usageError(`There is no file or folder ${path}.`);
  }
}

type Chosen = Omit<SyncOptions, 'report' | 'dryRun'>;

interface Work {
  workspace: Workspace;
  target: Target;
  chosen: Chosen;
  options: RunOptions;
  context: CliContext;
  paint: Paint;
}

async function once({ workspace, target, chosen, options, context, paint }: Work): Promise<CommandResult> {
  const quiet = options.quiet === true;
  const progress = await createProgress(context.stderr, {
    quiet: quiet || options.json === true,
    verb: verbs[chosen.direction],
    now: context.now,
  });
  const plan: DoneAction[] = [];
  const report = reporter(progress, context, quiet, plan);
  const dryRun = options.dryRun === true;
  const summary = await synchronize(workspace, target.client, { ...chosen, dryRun, report }).finally(() =>
    progress.stop(),
  );
  const show = (rowKey: string) => shownPath(target.root, rowKey, context);
  const asks = chosen.direction === 'both' && !quiet && !options.json && canAsk(context);
  if (!dryRun && (options.erasePrivate || asks))
    await erasePrivate(
      { workspace, client: target.client, context, show, asks: !options.erasePrivate },
      summary,
    );
  complain(summary, context, show);
  const texts = dryRun ? planLines(plan, paint, show) : summaryLines(summary, paint, show);
  return {
    json: summary,
    text: quiet ? undefined : lines(texts),
    failed: hasFailed(summary, { strict: options.strict === true, paths: chosen.paths }),
  };
}

/** Prints one summary for each run that did something, as text or as one JSON object a line. */
async function watch({ workspace, target, chosen, options, context, paint }: Work): Promise<CommandResult> {
  if (chosen.paths !== undefined) throw usageError('--watch takes the whole folder, not a part of it.');
  const quiet = options.quiet === true;
  const progress = await createProgress(context.stderr, {
    quiet: quiet || options.json === true,
    verb: verbs[chosen.direction],
    now: context.now,
  });
  const show = (rowKey: string) => shownPath(target.root, rowKey, context);
  const { paths: _, ...whole } = chosen;
  let runs = 0;
  let failed = false;
  if (!quiet) context.stderr.write(`tms: watching ${printable(target.root)}; Ctrl-C ends it\n`);
  await watchWorkspace(workspace, target.client, {
    ...whole,
    report: reporter(progress, context, quiet, []),
    finished: (summary) => {
      progress.stop();
      runs += 1;
      failed = hasFailed(summary, { strict: options.strict === true });
      complain(summary, context, show);
      if (options.json) context.stdout.write(`${printableJson(summary)}\n`);
      else if (!quiet) context.stdout.write(`${lines(summaryLines(summary, paint, show)).value}\n`);
    },
  }).finally(() => progress.stop());
  return { json: { runs }, failed };
}

function reporter(
  progress: Progress,
  { stderr }: CliContext,
  quiet: boolean,
  plan: DoneAction[],
): (event: SyncEvent) => void {
  return (event) => {
    switch (event.kind) {
      case 'planned':
        plan.splice(0, plan.length, ...event.list);
        progress.start(event.actions);
        return;
      case 'done':
        progress.done(event.done);
        return;
      case 'waiting':
        progress.waiting(event.seconds, event.writes_per_minute);
        return;
      case 'note':
        if (!quiet) stderr.write(`tms: ${printable(event.text)}\n`);
        return;
    }
  };
}

function complain(summary: SyncSummary, { stderr }: CliContext, show: (rowKey: string) => string): void {
  for (const text of complaints(summary, show)) stderr.write(`tms: ${text}\n`);
}

function askedTier(name: string | undefined): Tier | undefined {
  if (name === undefined) return undefined;
  const tier = canonicalTier(name);
  if (tier === undefined) throw usageError('--tier must be team or external.');
  if (tier === 'admin') throw usageError('Private files are never sent; --tier must be team or external.');
  return tier;
}
