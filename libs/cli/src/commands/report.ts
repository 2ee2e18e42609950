import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pricesOf } from '@teammemory/report/prices.ts';
import { definitions, type SignalName, signalNames } from '@teammemory/report/signals.ts';
import { makeReport, maxWindowDays, type Report, type SnapshotBody } from '@teammemory/report/snapshot.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { usageError } from '../cli-error.ts';
import { openClient } from '../clients.ts';
import { configPath, readConfig } from '../config-file.ts';
import type { GlobalOptions } from '../global-options.ts';
import { reportHooks } from '../hooks/hook-file.ts';
import { askLine, canAsk } from '../input.ts';
import { dailyPlan, type ReportTime, reportTimes } from '../report-schedule.ts';
import { findKey } from '../settings.ts';
import { startPlan, stopPlan } from '../system-plan.ts';
import { line, lines, printableJson, type TerminalText } from '../terminal.ts';
import { homeFolder } from '../user-folders.ts';
import { changeHooks } from './hooks.ts';

interface ReportFlags {
  since: number;
  dryRun?: boolean;
  yes?: boolean;
  explain?: SignalName;
  install?: ReportTime;
  uninstall?: boolean;
}

/** Days whose pushed counts are remembered. */
const keptPushes = 60;

/**
 * Adds `tms report`. Prints with `--json` `{ body, clients, left_out, skipped, pushed }`; `body` is exactly what
 * `POST /metrics` gets, `pushed` its answer, or null. `--install` and `--uninstall` print `{ installed }`.
 */
export function addReport(program: Command, { context, finish }: CommandHost): void {
  program
    .command('report')
    .description('count how you work with agents, from their logs on this machine, and tell the team')
    .addOption(
      new Option('--since <days>', `days to count, 1d to ${maxWindowDays}d`)
        .argParser(daysFrom)
        .default(7, '7d'),
    )
    .option('--dry-run', 'send nothing')
    .option('-y, --yes', 'do not ask')
    .addOption(
      new Option('--explain <signal>', 'say what a signal means and what it came to').choices(signalNames),
    )
    .addOption(
      new Option(
        '--install <when>',
        'report by itself: at the end of sessions of Claude Code, or daily',
      ).choices(reportTimes),
    )
    .option('--uninstall', 'no longer report by itself')
    .action(async (_: object, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ReportFlags>();
      if (options.install !== undefined || options.uninstall) finish(await schedule(options, context));
      else finish(await report(options, context));
    });
}

function daysFrom(text: string): number {
  const days = /^([1-9]\d?)d$/.exec(text)?.[1];
  if (days !== undefined && Number(days) <= maxWindowDays) return Number(days);
  throw new InvalidArgumentError(`It is a number of days from 1d to ${maxWindowDays}d.`);
}

async function report(options: GlobalOptions & ReportFlags, context: CliContext): Promise<CommandResult> {
  const { env, signal } = context;
  const made = await makeReport({
    home: homeFolder(context.env),
    env,
    platform: process.platform,
    signal,
    now: context.now(),
    days: options.since,
  });
  if (options.explain !== undefined) return explanation(options.explain, made);
  const { body, clients, skipped, measured } = made;
  const missing = signalNames.filter((name) => measured[name].value === undefined);
  const leftOut = missing.map((name) => ({ signal: name, reason: measured[name].reason }));
  const json = { body, clients, left_out: leftOut, skipped };
  if (body.tasks === 0) {
    const text = `No session in the last ${body.window_days} days: nothing to report.`;
    return { json: { ...json, pushed: null }, text };
  }
  if (!options.json) context.stdout.write(`${printableJson(body)}\n`);
  if (options.dryRun) return { json: { ...json, pushed: null }, text: 'Nothing was sent.' };
  return push(body, json, options, context);
}

async function push(
  body: SnapshotBody,
  json: object,
  options: GlobalOptions & ReportFlags,
  context: CliContext,
): Promise<CommandResult> {
  const { client, settings } = await openClient(options, context);
  if (!options.yes) {
    if (!canAsk(context)) throw usageError('tms report asks before it sends: use --yes or --dry-run.');
    if (options.json) context.stderr.write(`${printableJson(body)}\n`);
    const answer = await askLine(
      context,
      line`Send this, and nothing else, to team ${settings.team}? (yes/no)`.value,
      'no',
    );
    if (!/^y(es)?$/i.test(answer)) return { json: { ...json, pushed: null }, text: 'Nothing was sent.' };
  }
  const pushes = await readPushes(context);
  const key = `${settings.url} ${settings.team} ${body.date}`;
  const before = Object.hasOwn(pushes, key) ? pushes[key] : undefined;
  if (before !== undefined && (body.tasks < before.tasks || body.sessions < before.sessions)) {
    const text = 'More was reported today already, and logs were deleted since: nothing was sent.';
    return { json: { ...json, pushed: null }, text };
  }
  const pushed = await client.pushSnapshot(body, { signal: context.signal });
  await writePushes({ ...pushes, [key]: { tasks: body.tasks, sessions: body.sessions } }, context);
  const text = line`Sent to team ${settings.team}: you are at ${pushed.canonical.spine}.`;
  return { json: { ...json, pushed }, text: options.quiet ? undefined : text };
}

function explanation(name: SignalName, { measured }: Report): CommandResult {
  const { value, reason } = measured[name];
  const definition = definitions[name];
  const prices = name === 'cost_per_task' ? ` Prices are those of ${pricesOf}.` : '';
  return {
    json: { signal: name, definition, value: value ?? null, reason: reason + prices },
    text: lines([
      line`${name}: ${value === undefined ? 'left out' : String(value)}`,
      line`  ${definition}`,
      line`  ${reason}${prices}`,
    ]),
  };
}

/** What was pushed for a day, by service, team and day. */
type Pushes = Record<string, { tasks: number; sessions: number }>;

function pushesPath(context: CliContext): string {
  return join(dirname(configPath(context)), 'reports.json');
}

/** A file that is missing or damaged remembers nothing. */
async function readPushes(context: CliContext): Promise<Pushes> {
  try {
    const known: unknown = JSON.parse(await readFile(pushesPath(context), 'utf8'));
    return typeof known === 'object' && known !== null ? (known as Pushes) : {};
  } catch {
    return {};
  }
}

async function writePushes(pushes: Pushes, context: CliContext): Promise<void> {
  const path = pushesPath(context);
  const kept = Object.fromEntries(Object.entries(pushes).slice(-keptPushes));
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(`${path}.tmp`, JSON.stringify(kept), { mode: 0o600 });
  await rename(`${path}.tmp`, path);
}

async function schedule(options: GlobalOptions & ReportFlags, context: CliContext): Promise<CommandResult> {
  const home = homeFolder(context.env);
  if (options.uninstall) {
    const { change, backup } = await changeHooks('uninstall', reportHooks([]), options, context);
    const wasDaily = await stopPlan(dailyPlan(process.platform, home, []), home, context.env);
    const isNone = change === 'none' && !wasDaily;
    return {
      json: { installed: null },
      text: lines([
        isNone ? 'None were.' : 'Reports are no longer made by themselves.',
        ...backupLines(backup),
      ]),
    };
  }
  const target = await scheduledTarget(options, context);
  if (options.install === 'session') {
    const { file, backup } = await changeHooks('install', reportHooks(target), options, context);
    return {
      json: { installed: 'session' },
      text: lines([
        line`tms report runs at the end of each session of Claude Code, by ${file}. --uninstall ends that.`,
        ...backupLines(backup),
      ]),
    };
  }
  const command = [...context.program, 'report', '--yes', '--quiet', ...target];
  await startPlan(dailyPlan(process.platform, home, command), home, context.env);
  return { json: { installed: 'day' }, text: 'tms report runs once a day. --uninstall ends that.' };
}

function backupLines(backup: string | null): TerminalText[] {
  return backup === null ? [] : [line`What it was is in ${backup}.`];
}

/**
 * Returns options that name the service, the team and, unless it is the usual one, the config file: a report that runs by
 * itself must not go to the team of whatever folder it runs in. Throws a usage error without a stored key, because
 * neither a schedule nor a program that is started from a desktop knows `TMS_KEY`.
 */
async function scheduledTarget(options: GlobalOptions, context: CliContext): Promise<string[]> {
  const { settings } = await openClient(options, context);
  const { url, team } = settings;
  const { TMS_KEY: _, ...env } = context.env;
  if (findKey({}, { ...context, env }, await readConfig(context), { url, team }) === undefined) {
    throw usageError(
      `A report that is made by itself needs a stored key. Run: tms login --url ${url} --team ${team}`,
    );
  }
  const isUsual = !env.TMS_CONFIG && !env.XDG_CONFIG_HOME;
  return ['--url', url, '--team', team, ...(isUsual ? [] : ['--config', configPath(context)])];
}
