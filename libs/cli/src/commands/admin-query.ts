import type { CoverageRecord } from '@teammemory/client/rpc/search-index.ts';
import type { UsageRecord } from '@teammemory/client/rpc/usage.ts';
import { dayPattern } from '@teammemory/vocabulary/formats.ts';
import { type Command, InvalidArgumentError } from 'commander';
import type { CommandHost } from '../cli-context.ts';
import { requiredTeam, withAdminClient } from '../clients.ts';

const bytesPerMegabyte = 2 ** 20;

/** Adds `tms admin usage` and `tms admin index`, which ask the query service. */
export function addQueryCommands(admin: Command, host: CommandHost): void {
  addUsage(admin, host);
  addIndex(admin, host);
}

/** Prints `{ team, from, to, usage: [...] }`, ordered by day, member and model; `repair` prints `{ checked, repaired, busy }`. */
function addUsage(group: Command, host: CommandHost): void {
  const { context, finish } = host;
  const usage = group.command('usage');
  addRepair(usage, host);
  usage
    .description('show the calls to models of a team (--team) and what they cost')
    .option('--from <day>', 'first day (UTC), YYYY-MM-DD; default: 29 days before the last day', day)
    .option('--to <day>', 'last day (UTC), YYYY-MM-DD; default: today', day)
    .action(async (days: { from?: string; to?: string }, command: Command) => {
      const team = requiredTeam(command);
      const { signal } = context;
      const record = await withAdminClient(context, (admin) => admin.getUsage({ team, ...days }, { signal }));
      const { from, to, usage } = record;
      const lines = usage.map(usageLine);
      finish({ json: record, text: [`${team}, ${from} to ${to}`, ...lines, totalLine(usage)].join('\n') });
    });
}

function addRepair(usage: Command, { context, finish }: CommandHost): void {
  usage
    .command('repair')
    .description('count again how much every team has stored, and correct what is wrong')
    .action(async () => {
      const { signal } = context;
      const record = await withAdminClient(context, (admin) => admin.repairUsage({ signal }));
      const { checked, repaired, busy } = record;
      const later = busy === 0 ? '' : ` ${busy} were written to all the time: run the command again later.`;
      finish({ json: record, text: `Counted ${checked} teams; corrected ${repaired}.${later}` });
    });
}

function usageLine({
  day: on,
  member,
  model,
  calls,
  input_tokens,
  output_tokens,
  cost_usd,
}: UsageRecord): string {
  const tokens = `${input_tokens} tokens in, ${output_tokens} out`;
  return `${on}  ${member ?? '(the team)'}  ${model}  ${calls} calls, ${tokens}  ${dollars(cost_usd)}`;
}

function totalLine(usage: readonly UsageRecord[]): string {
  return `total  ${dollars(usage.reduce((sum, { cost_usd }) => sum + cost_usd, 0))}`;
}

function dollars(amount: number): string {
  return `${amount.toFixed(6)} USD`;
}

function day(text: string): string {
  if (dayPattern.test(text)) return text;
  throw new InvalidArgumentError('It must be a day, YYYY-MM-DD.');
}

/** Prints `{ team, team_keys, external_keys, bytes }`. */
function addIndex(group: Command, { context, finish }: CommandHost): void {
  group
    .command('index')
    .description('show how much of the content of a team (--team) can be searched')
    .action(async (_options: object, command: Command) => {
      const team = requiredTeam(command);
      const { signal } = context;
      const record = await withAdminClient(context, (admin) => admin.getIndex({ team }, { signal }));
      const { team_keys, external_keys, bytes } = record;
      const lines = [
        `${team}  ${(bytes / bytesPerMegabyte).toFixed(1)} MB`,
        `team keys      ${coverageText(team_keys)}`,
        `external keys  ${coverageText(external_keys)}`,
      ];
      finish({ json: record, text: lines.join('\n') });
    });
}

function coverageText({ passages, missing_passages }: CoverageRecord): string {
  return `${passages} passages, ${missing_passages} of them not indexed`;
}
