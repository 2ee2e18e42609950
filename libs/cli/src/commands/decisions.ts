import type { DecisionRow } from '@teammemory/client/derived-lists.ts';
import type {
  DecisionMethods,
  DecisionRecord,
  DecisionStatusName,
} from '@teammemory/client/rpc/decisions.ts';
import { type Tier, tiers } from '@teammemory/vocabulary/tier.ts';
import { type Command, Option } from 'commander';
import type { CliContext, CommandHost } from '../cli-context.ts';
import { usageError } from '../cli-error.ts';
import { requiredTeam, withAdminClient, withMemberClient } from '../clients.ts';
import { printable } from '../terminal.ts';

/** Runs `work` on the decisions of one team. `team` is its slug if the command names one. */
type DecisionAccess = <Result>(
  command: Command,
  context: CliContext,
  work: (decisions: DecisionMethods, team: string | undefined) => Promise<Result>,
) => Promise<Result>;

/** What each of the commands needs. */
interface DecisionHost extends CommandHost {
  access: DecisionAccess;
}

interface DecisionOptions {
  title?: string;
  body?: string;
  status?: DecisionStatusName;
  audience?: Tier;
  project?: string;
  decidedOn?: string;
}

interface DecisionEditOptions extends DecisionOptions {
  hide?: true;
  show?: true;
  base?: string;
}

const statuses: readonly DecisionStatusName[] = ['proposed', 'accepted', 'superseded', 'rejected'];

/** Adds `tms decision`: the decisions of the key's own team, whatever `--team` says. */
export function addMemberDecisionCommands(program: Command, host: CommandHost): void {
  addDecisionCommands(program, 'write and read decisions', {
    ...host,
    access: (command, context, work) =>
      withMemberClient(command, context, (member) => work(member.decisions, undefined)),
  });
}

/** Adds `tms admin decision`: the decisions of the team of `--team`. */
export function addAdminDecisionCommands(admin: Command, host: CommandHost): void {
  addDecisionCommands(admin, 'decisions', {
    ...host,
    access: (command, context, work) => {
      const team = requiredTeam(command);
      return withAdminClient(context, (client) => work(client.decisions(team), team));
    },
  });
}

function addDecisionCommands(parent: Command, description: string, host: DecisionHost): void {
  const group = parent.command('decision').description(description);
  addCreate(group, host);
  addEdit(group, host);
  addVisibility(group, host);
  addRemove(group, host);
  addList(group, host);
  addHistory(group, host);
}

function addDecisionOptions(command: Command): Command {
  return command
    .option('--title <title>', '1 to 300 characters')
    .option('--body <markdown>', 'its text; task list entries in it become tasks')
    .addOption(new Option('--audience <tier>', 'who may see it').choices(tiers))
    .addOption(new Option('--status <status>', 'default of a new decision: proposed').choices(statuses))
    .option('--project <slug>', 'its project; empty for none')
    .option('--decided-on <date>', 'the day it was decided, YYYY-MM-DD; empty for none');
}

/** Prints the decision in the form of `GET /decisions`, and `hidden`. */
function addCreate(group: Command, { context, finish, access }: DecisionHost): void {
  const command = group.command('create').description('create a decision');
  addDecisionOptions(command).action(async (options: DecisionOptions, command: Command) => {
    const { title, body, audience } = options;
    if (title === undefined) throw usageError('--title is missing.');
    if (body === undefined) throw usageError('--body is missing.');
    if (audience === undefined) throw usageError('--audience is missing.');
    const { signal } = context;
    const decision = await access(command, context, (decisions) =>
      decisions.create({ ...options, title, audience }, { signal }),
    );
    finish({ json: decision, text: `Decision ${decision.decision_id} created.` });
  });
}

/** Prints the decision in the form of `GET /decisions`, and `hidden`. */
function addEdit(group: Command, { context, finish, access }: DecisionHost): void {
  const command = group
    .command('edit')
    .description('change the given fields of a decision')
    .argument('<decision_id>', 'id of the decision');
  addDecisionOptions(command)
    .option('--hide', 'hide it from all readers')
    .option('--show', 'show it again; every edit of a hidden decision needs this')
    .option('--base <time>', 'updated_at of the version you edited; refused if another version is stored')
    .action(async (decisionId: string, options: DecisionEditOptions, command: Command) => {
      const { hide, show, base, ...change } = options;
      if (hide && show) throw usageError('--hide and --show cannot be combined.');
      const hidden = hide ? true : show ? false : undefined;
      const edit = { ...change, hidden, baseUpdatedAt: baseFrom(base) };
      const { signal } = context;
      const decision = await access(command, context, (decisions) =>
        decisions.edit(decisionId, edit, { signal }),
      );
      finish({ json: decision, text: `Decision ${decision.decision_id} stored.` });
    });
}

function baseFrom(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(/^\d{4}-\d\d-\d\dT/.test(text) ? text : Number.NaN);
  if (Number.isNaN(time.getTime())) throw usageError('--base takes a time such as 2027-01-31T00:00:00.000Z.');
  return time;
}

/** Adds `hide` and `show`, which print the decision in the form of `GET /decisions`, and `hidden`. */
function addVisibility(group: Command, { context, finish, access }: DecisionHost): void {
  const commands = [
    { name: 'hide', description: 'hide a decision from all readers', hidden: true },
    { name: 'show', description: 'show a hidden decision again', hidden: false },
  ];
  for (const { name, description, hidden } of commands) {
    group
      .command(name)
      .description(description)
      .argument('<decision_id>', 'id of the decision')
      .action(async (decisionId: string, _: object, command: Command) => {
        const { signal } = context;
        const decision = await access(command, context, (decisions) =>
          decisions.edit(decisionId, { hidden }, { signal }),
        );
        const text = `Decision ${decision.decision_id} is ${hidden ? 'hidden' : 'shown'}.`;
        finish({ json: decision, text });
      });
  }
}

/** Prints `{ decision_id, removed: true }`. */
function addRemove(group: Command, { context, finish, access }: DecisionHost): void {
  group
    .command('remove')
    .description('remove a decision and its versions for good (to keep it, use hide)')
    .argument('<decision_id>', 'id of the decision')
    .action(async (decisionId: string, _: object, command: Command) => {
      const { signal } = context;
      await access(command, context, (decisions) => decisions.remove(decisionId, { signal }));
      finish({
        json: { decision_id: decisionId, removed: true },
        text: `Decision ${decisionId} is removed.`,
      });
    });
}

/** Prints `{ team, decisions: [...] }`, the longest unchanged first; `team` only if the command names it. */
function addList(group: Command, { context, finish, access }: DecisionHost): void {
  group
    .command('list')
    .description('list decisions; hidden decisions appear with their id only')
    .action(async (_: object, command: Command) => {
      const { signal } = context;
      const listed = await access(command, context, async (decisions, team) => {
        const pages = await Array.fromAsync(decisions.list({ signal }));
        return { team, decisions: pages.flat() };
      });
      const text = listed.decisions.map(rowLine).join('\n') || 'There are no decisions.';
      finish({ json: listed, text });
    });
}

function rowLine(row: DecisionRow): string {
  if (row.deleted) return `${row.decision_id}  hidden  ${row.updated_at}`;
  const { decision_id, status, audience, updated_at, title } = row;
  return printable(`${decision_id}  ${status}  ${audience}  ${updated_at}  ${title}`);
}

/** Prints `{ decision, versions: [...] }`: the decision now, and its earlier versions, newest first. */
function addHistory(group: Command, { context, finish, access }: DecisionHost): void {
  group
    .command('history')
    .description('show a decision and its stored earlier versions, newest first')
    .argument('<decision_id>', 'id of the decision')
    .action(async (decisionId: string, _: object, command: Command) => {
      const { signal } = context;
      const history = await access(command, context, async (decisions) => {
        // In this order, an edit between the two calls is listed twice rather than not at all.
        const decision = await decisions.get(decisionId, { signal });
        const pages = await Array.fromAsync(decisions.versions(decisionId, { signal }));
        return { decision, versions: pages.flat() };
      });
      finish({ json: history, text: [history.decision, ...history.versions].map(versionLine).join('\n') });
    });
}

function versionLine({ updated_at, updated_by, hidden, status, audience, title }: DecisionRecord): string {
  return printable(`${updated_at}  ${updated_by}  ${hidden ? 'hidden' : status}  ${audience}  ${title}`);
}
