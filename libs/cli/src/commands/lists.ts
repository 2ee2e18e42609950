import type { Task } from '@teammemory/client/derived-lists.ts';
import type { DeletedItem, ItemSummary } from '@teammemory/client/item.ts';
import type { ListTasksOptions } from '@teammemory/client/requests.ts';
import { comparableOwner, taskStatuses } from '@teammemory/vocabulary/task.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { openClient } from '../clients.ts';
import type { GlobalOptions } from '../global-options.ts';
import { columns, minuteOf, writeLines } from '../output.ts';

/** The most that the service gives at once. */
const rowsPerPage = 200;

/** Adds `tms ls`. Prints `{ items: [...] }`, the longest unchanged first, as the API gives them with `view=summary`. */
export function addList(program: Command, { context, finish }: CommandHost): void {
  program
    .command('ls')
    .description('list the items of the team: row_key, tier, time of the last change, and by whom')
    .argument('[prefix]', 'only row_keys that begin with this text, such as projects/web/')
    .action(async (prefix: string | undefined, _: object, command: Command) => {
      finish(await list(prefix, command.optsWithGlobals<GlobalOptions>(), context));
    });
}

async function list(
  prefix: string | undefined,
  options: GlobalOptions,
  context: CliContext,
): Promise<CommandResult> {
  const { client } = await openClient(options, context);
  const items: (ItemSummary | DeletedItem)[] = [];
  const request = { prefix, view: 'summary', limit: rowsPerPage, signal: context.signal } as const;
  for await (const page of client.followItems(request)) {
    if (options.json) items.push(...page.items);
    else
      await writeLines(context, columns(page.items.flatMap((row) => (row.deleted ? [] : [itemCells(row)]))));
  }
  return { json: { items } };
}

function itemCells({ row_key, tier, updated_at, updated_by }: ItemSummary): string[] {
  return [row_key, tier, minuteOf(updated_at), updated_by];
}

interface TaskOptions extends Pick<ListTasksOptions, 'status' | 'owner' | 'project' | 'dueBy'> {
  /** The earlier name of `dueBy`. */
  due?: string;
}

/** Adds `tms tasks`. Prints `{ tasks: [...] }`, the soonest due first, as the API gives them. */
export function addTasks(program: Command, { context, finish }: CommandHost): void {
  program
    .command('tasks')
    .description('list the tasks of the team, the soonest due first')
    .option('--owner <handle>', 'only tasks of this member')
    .addOption(new Option('--status <status>', 'only tasks with this status').choices(taskStatuses))
    .option('--due-by <day>', 'only tasks that are due on this day or before, YYYY-MM-DD', dayFrom)
    .addOption(new Option('--due <day>', 'as --due-by').argParser(dayFrom).hideHelp())
    .option('--project <slug>', 'only tasks of this project')
    .action(async (_: object, command: Command) => {
      finish(await tasks(command.optsWithGlobals<GlobalOptions & TaskOptions>(), context));
    });
}

async function tasks(options: GlobalOptions & TaskOptions, context: CliContext): Promise<CommandResult> {
  const { client } = await openClient(options, context);
  const { status, project, due, dueBy = due } = options;
  const filter = { status, owner: options.owner?.replace(/^@/, ''), project, dueBy };
  // A service that is older than filters lists all tasks, so only what fits is kept. A task that changes meanwhile comes
  // again, and its last form counts.
  const found = new Map<string, Task>();
  for await (const task of client.tasks({ ...filter, limit: rowsPerPage, signal: context.signal })) {
    if (!task.deleted && taskFits(task, filter)) found.set(task.task_id, task);
    else found.delete(task.task_id);
  }
  const sorted = [...found.values()].sort(byDue);
  if (!options.json) {
    for (let start = 0; start < sorted.length; start += rowsPerPage) {
      await writeLines(context, columns(sorted.slice(start, start + rowsPerPage).map(taskCells)));
    }
  }
  return { json: { tasks: sorted } };
}

function taskFits(task: Task, { owner, status, dueBy, project }: TaskOptions): boolean {
  if (owner !== undefined && comparableOwner(task.owner ?? '') !== comparableOwner(owner)) return false;
  if (status !== undefined && task.status !== status) return false;
  if (project !== undefined && task.project !== project) return false;
  return dueBy === undefined || (task.due !== null && task.due <= dueBy);
}

/** Orders by day; tasks without one come last. */
function byDue(one: Task, other: Task): number {
  const [first, second] = [one, other].map(({ due, title }) => `${due ?? '9999-99-99'} ${title}`);
  return (first ?? '') < (second ?? '') ? -1 : 1;
}

function taskCells({ due, status, owner, title, project, source }: Task): string[] {
  const place = source.row_key;
  return [due ?? '-', status, owner ?? '-', project ?? '-', title, `${place}:${source.line}`];
}

function dayFrom(text: string): string {
  const time = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? text : Number.NaN);
  if (!Number.isNaN(time.getTime()) && time.toISOString().startsWith(text)) return text;
  throw new InvalidArgumentError('A day is written YYYY-MM-DD.');
}

/** Adds `tms projects`. Prints `{ projects: [...] }` as the API gives them. */
export function addProjects(program: Command, { context, finish }: CommandHost): void {
  program
    .command('projects')
    .description('list the projects of the team')
    .action(async (_: object, command: Command) => {
      const { client } = await openClient(command.optsWithGlobals<GlobalOptions>(), context);
      const { projects } = await client.listProjects({ signal: context.signal });
      const rows = columns(
        projects.map(({ slug, name, brain_only }) => [slug, name, brain_only ? 'no items' : '']),
      );
      finish({ json: { projects }, text: rows.join('\n') || undefined });
    });
}
