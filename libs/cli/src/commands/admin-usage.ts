import type { UsageRecord } from '@teammemory/client/usage.ts';
import { type Command, InvalidArgumentError } from 'commander';
import type { CommandHost } from '../command-host.ts';
import { requiredTeam } from '../required-team.ts';
import { withAdminClient } from '../with-admin-client.ts';

/** Adds `tms admin usage`. Prints `{ team, from, to, usage: [...] }`, by day, member and model. */
export function addUsage(group: Command, { context, finish }: CommandHost): void {
  group
    .command('usage')
    .description('what the calls to models of the team of --team came to')
    .option('--from <day>', 'first day (UTC), YYYY-MM-DD; by default 29 days before the last', day)
    .option('--to <day>', 'last day (UTC), YYYY-MM-DD; by default today', day)
    .action(async (days: { from?: string; to?: string }, command: Command) => {
      const team = requiredTeam(command);
      const { signal } = context;
      const record = await withAdminClient(context, (admin) => admin.getUsage({ team, ...days }, { signal }));
      const { from, to, usage } = record;
      const lines = usage.map(line);
      finish({ json: record, text: [`${team}, ${from} to ${to}`, ...lines, totalLine(usage)].join('\n') });
    });
}

function line({ day: on, member, model, calls, input_tokens, output_tokens, cost_usd }: UsageRecord): string {
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
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a day, YYYY-MM-DD.');
}
