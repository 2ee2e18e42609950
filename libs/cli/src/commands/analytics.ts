import { eachPage } from '@teammemory/client/feed-pages.ts';
import type { CodebasePage, Rollup, ScanPage } from '@teammemory/client/measurements.ts';
import type { RollupRecord, TeamPlacementRecord } from '@teammemory/client/rpc/analytics.ts';
import type { TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { type Command, InvalidArgumentError } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { usageError } from '../cli-error.ts';
import { openClient } from '../clients.ts';
import type { GlobalOptions } from '../global-options.ts';
import { columns, minuteOf } from '../output.ts';
import { askTeams, teamsOption } from '../stored-teams.ts';

/** The most that the service gives at once. */
const rowsPerPage = 200;

type TeamsFlag = GlobalOptions & { teams?: string | true };

/**
 * Adds `tms rollup`. Prints `{ from, to, rubric_version, current, trend }` as the API gives it; with `--teams` `{ teams:
 * [{ team, ... }] }` with the same of each.
 */
export function addRollup(program: Command, { context, finish }: CommandHost): void {
  program
    .command('rollup')
    .description('show the levels of the members of the team and how they changed')
    .option('--weeks <number>', 'number of weeks, 1 to 53; default: 12', wholeNumber)
    .option(...teamsOption)
    .action(async (_: object, command: Command) => {
      const { weeks, teams, ...options } = command.optsWithGlobals<TeamsFlag & { weeks?: number }>();
      if (teams !== undefined) {
        const { signal } = context;
        const asked = await askTeams(teams, options, context, (each) => each.getRollup({ weeks, signal }));
        const rollups = asked.map(({ team, answer }) => ({ team, ...answer }));
        return finish({ json: { teams: rollups }, text: columns(rollupRows(rollups)).join('\n') });
      }
      const { client, settings } = await openClient(options, context);
      const rollup = await client.getRollup({ weeks, signal: context.signal });
      finish({ json: rollup, text: rollupText(settings.team, rollup) });
    });
}

/**
 * Adds `tms codebases`. Prints `{ codebases: [...] }`, or `{ scans: [...] }` of one, as the API gives them; with `--teams`
 * `{ teams: [{ team, codebases }] }`.
 */
export function addCodebases(program: Command, { context, finish }: CommandHost): void {
  program
    .command('codebases')
    .description('list the codebases of the team with their newest scans, or the scans of one')
    .argument('[slug]', 'list the scans of this codebase, newest first')
    .option(...teamsOption)
    .action(async (slug: string | undefined, _: object, command: Command) => {
      const { teams, ...options } = command.optsWithGlobals<TeamsFlag>();
      if (teams !== undefined) return finish(await codebasesOfTeams(slug, teams, options, context));
      finish(slug === undefined ? await codebases(options, context) : await scans(slug, options, context));
    });
}

async function codebases(options: GlobalOptions, context: CliContext): Promise<CommandResult> {
  const { client } = await openClient(options, context);
  const listed = await allCodebases(client, context);
  return { json: { codebases: listed }, text: columns(listed.map(codebaseCells)).join('\n') || undefined };
}

async function codebasesOfTeams(
  slug: string | undefined,
  teams: string | true,
  options: GlobalOptions,
  context: CliContext,
): Promise<CommandResult> {
  if (slug !== undefined) throw usageError('--teams lists codebases: leave the name of one out.');
  const asked = await askTeams(teams, options, context, (client) => allCodebases(client, context));
  const rows = asked.flatMap(({ team, answer }) => answer.map((each) => [team, ...codebaseCells(each)]));
  return {
    json: { teams: asked.map(({ team, answer }) => ({ team, codebases: answer })) },
    text: columns(rows).join('\n') || undefined,
  };
}

async function allCodebases(
  client: TeamMemoryClient,
  { signal }: CliContext,
): Promise<CodebasePage['codebases']> {
  const listed: CodebasePage['codebases'] = [];
  const read = (cursor?: string) => client.listCodebases({ cursor, limit: rowsPerPage, signal });
  for await (const page of eachPage(read, undefined)) listed.push(...page.codebases);
  return listed;
}

function codebaseCells({ slug, full_name, newest_scan }: CodebasePage['codebases'][number]): string[] {
  return [slug, ...(newest_scan === null ? ['-', '-', '-', '-'] : scanCells(newest_scan)), full_name];
}

async function scans(slug: string, options: GlobalOptions, context: CliContext): Promise<CommandResult> {
  const { client } = await openClient(options, context);
  const listed: ScanPage['scans'] = [];
  const read = (cursor?: string) =>
    client.listScans(slug, { cursor, limit: rowsPerPage, signal: context.signal });
  for await (const page of eachPage(read, undefined)) listed.push(...page.scans);
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

/** Puts several teams side by side: a column for each team; rows for now, each median and each week. */
function rollupRows(rollups: readonly (Rollup & { team: string })[]): string[][] {
  const union = (namesOf: (rollup: Rollup) => string[]) => [...new Set(rollups.flatMap(namesOf))].sort();
  const row = (name: string, cellOf: (rollup: Rollup) => string | undefined) => [
    name,
    ...rollups.map((each) => cellOf(each) ?? '-'),
  ];
  const weeks = union(({ trend }) => trend.map(({ week }) => week));
  return [
    ['', ...rollups.map(({ team }) => team)],
    row('members', ({ current }) => String(current.members)),
    row('now', ({ current }) => spinesText(current)),
    ...union(({ current }) => Object.keys(current.median_axes ?? {})).map((axis) =>
      row(`median ${axis}`, ({ current: { median_axes } }) =>
        median_axes === null ? withheldText : median_axes[axis]?.toString(),
      ),
    ),
    ...weeks.map((name) =>
      row(name, ({ trend }) => {
        const week = trend.find((each) => each.week === name);
        return week && spinesText(week);
      }),
    ),
  ];
}

const withheldText = 'withheld';

function placementText(placement: TeamPlacementRecord): string {
  const { members, spines } = placement;
  if (spines === null) return `${members} members; figures are withheld below 3`;
  return `${members} members: ${spinesText(placement)}`;
}

function spinesText({ spines }: Pick<TeamPlacementRecord, 'spines'>): string {
  if (spines === null) return withheldText;
  return Object.keys(spines)
    .filter((level) => spines[level] !== 0)
    .sort()
    .map((level) => `${level} ${spines[level]}`)
    .join(', ');
}

/** Reads the value of an option. Throws InvalidArgumentError. */
export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}
