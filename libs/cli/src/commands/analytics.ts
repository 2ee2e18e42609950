import type { CodebasePage, ScanPage } from '@teammemory/client/measurements.ts';
import type { RollupRecord, TeamPlacementRecord } from '@teammemory/client/rpc/analytics.ts';
import { type Command, InvalidArgumentError } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { openClient } from '../clients.ts';
import type { GlobalOptions } from '../global-options.ts';
import { columns, minuteOf } from '../output.ts';

/** The most that the service gives at once. */
const rowsPerPage = 200;

/** Adds `tms rollup`. Prints `{ from, to, rubric_version, current, trend }` as the API gives it. */
export function addRollup(program: Command, { context, finish }: CommandHost): void {
  program
    .command('rollup')
    .description('show the levels of the members of the team and how they changed')
    .option('--weeks <number>', 'number of weeks, 1 to 53; default: 12', wholeNumber)
    .action(async (_: object, command: Command) => {
      const { weeks, ...options } = command.optsWithGlobals<GlobalOptions & { weeks?: number }>();
      const { client, settings } = await openClient(options, context);
      const rollup = await client.getRollup({ weeks, signal: context.signal });
      finish({ json: rollup, text: rollupText(settings.team, rollup) });
    });
}

/** Adds `tms codebases`. Prints `{ codebases: [...] }`, or `{ scans: [...] }` of one, as the API gives them. */
export function addCodebases(program: Command, { context, finish }: CommandHost): void {
  program
    .command('codebases')
    .description('list the codebases of the team with their newest scans, or the scans of one')
    .argument('[slug]', 'list the scans of this codebase, newest first')
    .action(async (slug: string | undefined, _: object, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      finish(slug === undefined ? await codebases(options, context) : await scans(slug, options, context));
    });
}

async function codebases(options: GlobalOptions, context: CliContext): Promise<CommandResult> {
  const { client } = await openClient(options, context);
  const listed: CodebasePage['codebases'] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listCodebases({ cursor, limit: rowsPerPage, signal: context.signal });
    listed.push(...page.codebases);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  const rows = listed.map(({ slug, full_name, newest_scan }) => [
    slug,
    ...(newest_scan === null ? ['-', '-', '-', '-'] : scanCells(newest_scan)),
    full_name,
  ]);
  return { json: { codebases: listed }, text: columns(rows).join('\n') || undefined };
}

async function scans(slug: string, options: GlobalOptions, context: CliContext): Promise<CommandResult> {
  const { client } = await openClient(options, context);
  const listed: ScanPage['scans'] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listScans(slug, { cursor, limit: rowsPerPage, signal: context.signal });
    listed.push(...page.scans);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return { json: { scans: listed }, text: columns(listed.map(scanCells)).join('\n') || undefined };
}

function scanCells(scan: ScanPage['scans'][number]): string[] {
  const { readiness_level, agentic_score, head_sha, pushed_at } = scan;
  return [readiness_level, agentic_score.toFixed(1), head_sha.slice(0, 12), minuteOf(pushed_at)];
}

/** Says in lines how a team stands. */
export function rollupText(
  team: string,
  { from, to, current, trend }: Pick<RollupRecord, 'from' | 'to' | 'current' | 'trend'>,
): string {
  const medians = Object.entries(current.median_axes ?? {});
  return [
    `${team}, ${from} to ${to}`,
    `now         ${placementText(current)}`,
    ...medians.map(([axis, median]) => `  median ${axis} ${median}`),
    ...trend.map((week) => `${week.week}  ${placementText(week)}`),
  ].join('\n');
}

function placementText({ members, spines }: TeamPlacementRecord): string {
  if (spines === null) return `${members} members; figures are withheld below 3`;
  const counts = Object.keys(spines)
    .sort()
    .map((level) => `${level} ${spines[level]}`);
  return `${members} members: ${counts.join(', ')}`;
}

/** Reads the value of an option. Throws InvalidArgumentError. */
export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}
