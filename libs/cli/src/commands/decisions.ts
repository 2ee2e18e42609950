import type { DecisionRow } from '@teammemory/client/derived-lists.ts';
import type {
  DecisionMethods,
  DecisionRecord,
  DecisionStatusName,
} from '@teammemory/client/rpc/decisions.ts';
import { type Tier, tiers } from '@teammemory/vocabulary/tier.ts';
import { type Command, Option } from 'commander';
import { bodyFrom, editInEditor, hasEditor } from '../body-input.ts';
import type { CliContext, CommandHost } from '../cli-context.ts';
import { CliError, usageError } from '../cli-error.ts';
import { requiredTeam, withAdminClient, withMemberClient } from '../clients.ts';
import { oneLine } from '../output.ts';
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
  unhide?: true;
  /** The older name of `unhide`. */
  show?: true;
  base?: string;
}

const statuses: readonly DecisionStatusName[] = ['proposed', 'accepted', 'superseded', 'rejected'];

/** Adds `tms decisions`: the decisions of the key's own team, whatever `--team` says. */
export function addMemberDecisionCommands(program: Command, host: CommandHost): void {
  addDecisionCommands(program, 'read and write decisions', {
    ...host,
    access: (command, context, work) =>
      withMemberClient(command, context, (member) => work(member.decisions, undefined)),
  });
}

/** Adds `tms admin decisions`: the decisions of the team of `--team`. */
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
  const group = parent.command('decisions').alias('decision').description(description);
  addList(group, host);
  addShow(group, host);
  addCreate(group, host);
  addEdit(group, host);
  addVisibility(group, host);
  addRemove(group, host);
  addHistory(group, host);
}

function addDecisionOptions(command: Command): Command {
  return command
    .option('--title <title>', '1 to 300 characters')
    .option('--body <markdown>', 'its text, @file or - for standard input; its checkboxes become tasks')
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
    const text = await bodyFrom(body, context);
    const decision = await access(command, context, (decisions) =>
      decisions.create({ ...options, title, audience, body: text }, { signal }),
    );
    finish({ json: decision, text: `Decision ${decision.decision_id} created.` });
  });
}

/** Prints the decision in the form of `GET /decisions`, and `hidden`. Without options it opens the body in an editor. */
function addEdit(group: Command, { context, finish, access }: DecisionHost): void {
  const command = group
    .command('edit')
    .description('change the given fields of a decision; without any, its text in $VISUAL or $EDITOR')
    .argument('<decision_id>', idHelp);
  addDecisionOptions(command)
    .option('--hide', 'hide it from all readers')
    .option('--unhide', 'show it to readers again; every edit of a hidden decision needs this')
    .addOption(new Option('--show', 'the older name of --unhide').hideHelp())
    .option('--base <time>', 'updated_at of the version you edited; refused if another version is stored')
    .action(async (given: string, options: DecisionEditOptions, command: Command) => {
      const { hide, show, unhide = show, base, ...change } = options;
      if (hide && unhide) throw usageError('--hide and --unhide cannot be combined.');
      const hidden = hide ? true : unhide ? false : undefined;
      const { signal } = context;
      const inEditor = hidden === undefined && base === undefined && Object.keys(change).length === 0;
      if (inEditor && !hasEditor(context)) {
        throw usageError('Name what to change, such as --status, or set EDITOR to edit the text.');
      }
      const body = change.body === undefined ? undefined : await bodyFrom(change.body, context);
      const baseUpdatedAt = baseFrom(base);
      const [decision, changed] = await access(command, context, async (decisions) => {
        const decisionId = await wholeId(decisions, given, signal);
        if (inEditor) return editBody(decisions, decisionId, context);
        const edit = { ...change, body, hidden, baseUpdatedAt };
        return [await decisions.edit(decisionId, edit, { signal }), true] as const;
      });
      const text = changed ? `Decision ${decision.decision_id} stored.` : 'Nothing was changed.';
      finish({ json: decision, text });
    });
}

/** Lets the user edit the body, and stores it only if the stored decision is still the one that was opened. */
async function editBody(
  decisions: DecisionMethods,
  decisionId: string,
  context: CliContext,
): Promise<readonly [DecisionRecord, boolean]> {
  const { signal } = context;
  const before = await decisions.get(decisionId, { signal });
  const baseUpdatedAt = before.updated_at === null ? undefined : new Date(before.updated_at);
  const stored = await editInEditor(before.body, context, (body) =>
    decisions.edit(decisionId, { body, baseUpdatedAt }, { signal }),
  );
  return stored === undefined ? [before, false] : [stored, true];
}

const idHelp = 'id of the decision, or the first characters of it if no other begins so';

/**
 * Returns the id that begins with `given`. A whole UUID, or a text that no id can begin with, is left to the service.
 * Throws CliError `ambiguous_id` and `not_found`.
 */
async function wholeId(decisions: DecisionMethods, given: string, signal: AbortSignal): Promise<string> {
  const start = given.toLowerCase();
  if (!/^[0-9a-f-]{1,35}$/.test(start)) return given;
  const found = new Set<string>();
  for await (const rows of decisions.list({ signal })) {
    for (const { decision_id } of rows) if (decision_id.startsWith(start)) found.add(decision_id);
    if (found.size > 1) {
      const text = `More than one decision begins with ${given}: ${[...found].slice(0, 2).join(', ')}. Give more characters.`;
      throw new CliError('ambiguous_id', text);
    }
  }
  const [only] = found;
  if (only === undefined) throw new CliError('not_found', `No decision begins with ${given}.`);
  return only;
}

/** Prints the decision in the form of `GET /decisions`, and `hidden`. It changes nothing. */
function addShow(group: Command, { context, finish, access }: DecisionHost): void {
  group
    .command('show')
    .description('print a decision with its text; changes nothing')
    .argument('<decision_id>', idHelp)
    .action(async (given: string, _: object, command: Command) => {
      const { signal } = context;
      const decision = await access(command, context, async (decisions) =>
        decisions.get(await wholeId(decisions, given, signal), { signal }),
      );
      finish({ json: decision, text: decisionText(decision) });
    });
}

function decisionText(decision: DecisionRecord): string {
  const { decision_id, title, body, status, audience, project, decided_on, updated_at, updated_by } =
    decision;
  const facts = [
    ['id', decision_id],
    ['status', decision.hidden ? `${status}, hidden from readers` : status],
    ['audience', audience],
    ['project', project ?? ''],
    ['decided', decided_on ?? ''],
    ['changed', `${updated_at ?? ''} by ${updated_by}`],
  ].flatMap(([name = '', value = '']) => (value === '' ? [] : [oneLine(`${name.padEnd(9)} ${value}`)]));
  return [oneLine(title), ...facts, '', printable(body)].join('\n').trimEnd();
}

function baseFrom(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(/^\d{4}-\d\d-\d\dT/.test(text) ? text : Number.NaN);
  if (Number.isNaN(time.getTime())) throw usageError('--base takes a time such as 2027-01-31T00:00:00.000Z.');
  return time;
}

/** Adds `hide` and `unhide`, which print the decision in the form of `GET /decisions`, and `hidden`. */
function addVisibility(group: Command, { context, finish, access }: DecisionHost): void {
  const commands = [
    { name: 'hide', description: 'hide a decision from all readers', hidden: true },
    { name: 'unhide', description: 'show a hidden decision to its readers again', hidden: false },
  ];
  for (const { name, description, hidden } of commands) {
    group
      .command(name)
      .description(description)
      .argument('<decision_id>', idHelp)
      .action(async (given: string, _: object, command: Command) => {
        const { signal } = context;
        const decision = await access(command, context, async (decisions) =>
          decisions.edit(await wholeId(decisions, given, signal), { hidden }, { signal }),
        );
        const text = `Decision ${decision.decision_id} is ${hidden ? 'hidden' : 'shown to its readers'}.`;
        finish({ json: decision, text });
      });
  }
}

/** Prints `{ decision_id, removed: true }`. */
function addRemove(group: Command, { context, finish, access }: DecisionHost): void {
  group
    .command('remove')
    .description('remove a decision and its versions for good (to keep it, use hide)')
    .argument('<decision_id>', 'whole id of the decision')
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
    .argument('<decision_id>', idHelp)
    .action(async (given: string, _: object, command: Command) => {
      const { signal } = context;
      const history = await access(command, context, async (decisions) => {
        const decisionId = await wholeId(decisions, given, signal);
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
