import { resolve } from 'node:path';
import { adviceFor } from '@teammemory/scan/rubric/advice.ts';
import type { Check } from '@teammemory/scan/rubric/check.ts';
import { type RepositoryScan, rubric } from '@teammemory/scan/rubric/scan-repository.ts';
import type { ScanBody } from '@teammemory/scan/scan-body.ts';
import { type FolderScan, scanFolder } from '@teammemory/scan/scan-folder.ts';
import { isSlug, slugRule } from '@teammemory/vocabulary/formats.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { CliError, usageError } from '../cli-error.ts';
import { openClient } from '../clients.ts';
import type { GlobalOptions } from '../global-options.ts';
import { line, lines, type Paint, printableJson, TerminalText } from '../terminal.ts';

const formats = ['text', 'json', 'sarif', 'badge', 'markdown'] as const;
const levels = ['L1', 'L2', 'L3', 'L4', 'L5'] as const;

interface ScanFlags {
  format?: (typeof formats)[number];
  push?: boolean;
  min?: (typeof levels)[number];
  explain?: string;
  slug?: string;
}

/**
 * Adds `tms scan`. Prints with `--json` `{ root, kind, level, percentage, pillars, workspaces, findings, advice,
 * unused_waivers, body, pushed }`; `body` is what `POST /codebases` takes, null without a commit. The exit code is 1 below
 * `--min`.
 */
export function addScan(program: Command, { context, paint, finish }: CommandHost): void {
  program
    .command('scan')
    .description('say how ready a repository is for agents, and what to do next; --push tells the team')
    .argument('[folder]', 'default: the working directory')
    .addOption(new Option('--format <format>', 'what to print; default: text').choices(formats))
    .option(
      '--push',
      'send the result to the service: levels, counts, names, and checks with their paths, no texts',
    )
    .addOption(new Option('--min <level>', 'end with 1 if the level is lower').choices(levels))
    .addOption(
      new Option('--explain <check>', 'say what a check rests on, without a scan').choices(
        rubric.map(({ id }) => id),
      ),
    )
    .option(
      '--slug <slug>',
      'name of the codebase within the team; default: the last part of its address',
      slugFrom,
    )
    .action(async (folder: string | undefined, _: object, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ScanFlags>();
      const explained = rubric.find(({ id }) => id === options.explain);
      finish(explained === undefined ? await scan(folder, options, context, paint) : explanation(explained));
    });
}

function slugFrom(text: string): string {
  if (isSlug(text)) return text;
  throw new InvalidArgumentError(`It ${slugRule}.`);
}

async function scan(
  folder: string | undefined,
  options: GlobalOptions & ScanFlags,
  context: CliContext,
  paint: Paint,
): Promise<CommandResult> {
  const format = options.format ?? (options.json ? 'json' : 'text');
  if (options.json && format !== 'json')
    throw usageError('--json prints the format json: leave --format out.');
  const { env, signal } = context;
  const scanned = await scanFolder(resolve(context.cwd, folder ?? '.'), { env, signal, now: context.now() });
  const { scan: result, body } = scanned;
  if (body !== undefined && options.slug !== undefined) body.codebase.slug = options.slug;
  const pushed = options.push ? await push(body, options, context) : null;
  const json = jsonOf(scanned, pushed);
  const { min } = options;
  return {
    json,
    text: await textOf(format, result, body?.codebase.full_name ?? scanned.root, json, paint),
    failed: min !== undefined && result.level < min,
  };
}

function jsonOf({ root, scan: result, body }: FolderScan, pushed: object | null): object {
  const { settings: _, ...known } = result;
  const advice = adviceFor(result).map(({ check, fix, gain }) => ({ check, fix, gain }));
  return { root, ...known, advice, body: body ?? null, pushed };
}

async function push(
  body: ScanBody | undefined,
  options: GlobalOptions,
  context: CliContext,
): Promise<{ codebase_id: string; metrics_id: string }> {
  if (body === undefined)
    throw new CliError('no_commit', 'A scan belongs to a commit, and there is none yet.');
  const { client, settings } = await openClient(options, context);
  const { codebase_id, metrics_id } = await client.pushScan(body, { signal: context.signal });
  if (!options.quiet && !options.json) {
    const { slug } = body.codebase;
    context.stderr.write(line`tms: pushed to team ${settings.team} as ${slug}\n`.value);
  }
  return { codebase_id, metrics_id };
}

async function textOf(
  format: (typeof formats)[number],
  result: RepositoryScan,
  name: string,
  json: object,
  paint: Paint,
): Promise<string | TerminalText> {
  if (format === 'text') return (await import('../scan-formats/text.ts')).scanText(result, name, paint);
  if (format === 'json') return new TerminalText(printableJson(json));
  const { sarifLog, scanBadge, scanMarkdown } = await import('../scan-formats/documents.ts');
  if (format === 'sarif') return new TerminalText(printableJson(sarifLog(result)));
  return format === 'badge' ? scanBadge(result) : scanMarkdown(result, name);
}

function explanation({ id, title, pillar, weight, rests_on, fix }: Check): CommandResult {
  return {
    json: { check: id, title, pillar, weight, rests_on, fix },
    text: lines([
      line`${id}: ${title}`,
      line`  pillar    ${pillar.replace('_', '-')}, ${weight} of 100`,
      line`  rests on  ${rests_on}`,
      line`  fix       ${fix}`,
    ]),
  };
}
