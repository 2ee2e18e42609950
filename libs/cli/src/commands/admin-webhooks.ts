import type { WebhookList, WebhookMethods, WebhookRecord } from '@teammemory/client/rpc/webhooks.ts';
import type { Command } from 'commander';
import type { CliContext, CommandHost } from '../cli-context.ts';
import { CliError, usageError } from '../cli-error.ts';
import { requiredTeam, withAdminClient, withMemberClient } from '../clients.ts';
import { parseSpan, parseTime } from '../expiry.ts';

/** Same as `webhookLists` of the client, which is loaded when a command runs. */
const listNames = ['items', 'tasks', 'decisions'] as const;
const listsHelp = `lists to follow, with commas between them: ${listNames.join(', ')}`;
const overlapHelp = 'how long events are signed with the present secret too, such as 12h or 7d; default: 1d';

interface WithKey {
  withKey?: true;
}

/** Adds `tms admin webhook create`, `list`, `edit`, `rotate`, `replay`, `test` and `remove`. */
export function addWebhookCommands(admin: Command, host: CommandHost): void {
  const group = admin.command('webhook').description('URLs that get an event when lists of a team change');
  addCreate(group, host);
  addList(group, host);
  addEdit(group, host);
  addRotate(group, host);
  addReplay(group, host);
  addTest(group, host);
  addRemove(group, host);
}

/** Prints the webhook with its secret, which is not shown again. */
function addCreate(group: Command, { context, finish }: CommandHost): void {
  subcommand(group, 'create')
    .description('register a URL of a team (--team)')
    .argument('<url>', 'an https URL that does not lead to a private address')
    .option('--lists <lists>', `${listsHelp}; default: all`)
    .option('--tier <tier>', 'whose view of the lists it follows, team or external; default: team')
    .action(async (url: string, options: WithKey & { lists?: string; tier?: string }, command: Command) => {
      const tier = tierFrom(options.tier);
      const lists = listsFrom(options.lists);
      const { signal } = context;
      const created = await withWebhooks(command, context, options, (webhooks) =>
        webhooks.create({ url, lists, tier }, { signal }),
      );
      finish({ json: created, text: `${textOf(created)}\n${secretText(created.secret)}` });
    });
}

/** Prints `{ webhooks: [...] }`, by id. */
function addList(group: Command, { context, finish }: CommandHost): void {
  subcommand(group, 'list')
    .description('list the webhooks of a team (--team), and how they fare')
    .action(async (options: WithKey, command: Command) => {
      const { signal } = context;
      const webhooks = await withWebhooks(command, context, options, (methods) => methods.list({ signal }));
      finish({ json: { webhooks }, text: webhooks.map(textOf).join('\n') || 'There are no webhooks.' });
    });
}

/** Prints the webhook. */
function addEdit(group: Command, { context, finish }: CommandHost): void {
  subcommand(group, 'edit')
    .description('change a webhook of a team (--team), or switch it on or off')
    .argument('<webhook_id>', 'its id')
    .option('--url <url>', 'another URL')
    .option('--lists <lists>', listsHelp)
    .option('--on', 'switch it on: what was not delivered is delivered now')
    .option('--off', 'switch it off')
    .action(
      async (
        webhookId: string,
        options: WithKey & { url?: string; lists?: string; on?: true; off?: true },
        command: Command,
      ) => {
        const { url, on, off } = options;
        if (on && off) throw usageError('--on and --off exclude each other.');
        const lists = listsFrom(options.lists);
        const edit = {
          ...(url === undefined ? {} : { url }),
          ...(lists.length === 0 ? {} : { lists }),
          ...(on || off ? { on: on === true } : {}),
        };
        if (Object.keys(edit).length === 0)
          throw usageError('Say what to change: --url, --lists, --on or --off.');
        const { signal } = context;
        const edited = await withWebhooks(command, context, options, (webhooks) =>
          webhooks.edit(webhookId, edit, { signal }),
        );
        finish({ json: edited, text: textOf(edited) });
      },
    );
}

/** Prints the webhook with its new secret, which is not shown again. */
function addRotate(group: Command, { context, finish }: CommandHost): void {
  subcommand(group, 'rotate')
    .description('give a webhook of a team (--team) a new secret')
    .argument('<webhook_id>', 'its id')
    .option('--overlap <span>', overlapHelp)
    .action(async (webhookId: string, options: WithKey & { overlap?: string }, command: Command) => {
      const { overlap } = options;
      const span = overlap === undefined ? {} : { overlapMs: parseSpan('--overlap', overlap) };
      const { signal } = context;
      const rotated = await withWebhooks(command, context, options, (webhooks) =>
        webhooks.rotate(webhookId, span, { signal }),
      );
      const until = rotated.previous_secret_until;
      const overlaps =
        until === null ? 'The secret before is no longer used.' : `The secret before is used until ${until}.`;
      finish({ json: rotated, text: `${secretText(rotated.secret)}\n${overlaps}` });
    });
}

/** Prints the webhook. */
function addReplay(group: Command, { context, finish }: CommandHost): void {
  subcommand(group, 'replay')
    .description('tell again of what changed, from a cursor or a time on')
    .argument('<webhook_id>', 'its id')
    .option('--list <list>', 'the list; needed with --cursor, default: all that it follows')
    .option('--cursor <cursor>', 'the cursor of an event or a page')
    .option('--since <time>', 'a time such as 2027-01-31T00:00:00Z')
    .action(
      async (
        webhookId: string,
        options: WithKey & { list?: string; cursor?: string; since?: string },
        command: Command,
      ) => {
        const { cursor, since } = options;
        const [list, ...others] = listsFrom(options.list);
        if (others.length > 0) throw usageError('--list takes one list.');
        if ((cursor === undefined) === (since === undefined))
          throw usageError('Give either --cursor or --since.');
        const { signal } = context;
        const start = startFrom({ list, cursor, since });
        const replayed = await withWebhooks(command, context, options, (webhooks) =>
          webhooks.replay(webhookId, start, { signal }),
        );
        const state = replayed.on ? 'Events follow.' : 'Events follow once it is on again.';
        finish({ json: replayed, text: `Replaying ${list ?? replayed.lists.join(', ')}. ${state}` });
      },
    );
}

function startFrom({
  list,
  cursor,
  since,
}: {
  list: WebhookList | undefined;
  cursor?: string | undefined;
  since?: string | undefined;
}) {
  if (cursor === undefined) return { ...(list && { list }), since: parseTime('--since', since ?? '') };
  if (list === undefined) throw usageError('--cursor needs --list.');
  return { list, cursor };
}

/** Prints `{ delivered, result }`; ends with 1 if the event was not delivered. */
function addTest(group: Command, { context, finish }: CommandHost): void {
  subcommand(group, 'test')
    .description('send an event of type ping to a webhook of a team (--team)')
    .argument('<webhook_id>', 'its id')
    .action(async (webhookId: string, options: WithKey, command: Command) => {
      const { signal } = context;
      const tested = await withWebhooks(command, context, options, (webhooks) =>
        webhooks.test(webhookId, { signal }),
      );
      if (!tested.delivered)
        throw new CliError('not_delivered', `The ping was not delivered: ${tested.result}.`);
      finish({ json: tested, text: `The ping was delivered: ${tested.result}.` });
    });
}

/** Prints `{ webhook_id }`. */
function addRemove(group: Command, { context, finish }: CommandHost): void {
  subcommand(group, 'remove')
    .description('remove a webhook of a team (--team), with what was not delivered')
    .argument('<webhook_id>', 'its id')
    .action(async (webhookId: string, options: WithKey, command: Command) => {
      const { signal } = context;
      await withWebhooks(command, context, options, (webhooks) => webhooks.remove(webhookId, { signal }));
      finish({ json: { webhook_id: webhookId }, text: `${webhookId} removed.` });
    });
}

function subcommand(group: Command, name: string): Command {
  return group.command(name).option('--with-key', 'as an administrator of the team, with your own key');
}

/** Runs `work` with the webhooks of `--team`, or with `--with-key` with those of the team of the user's own key. */
function withWebhooks<Result>(
  command: Command,
  context: CliContext,
  { withKey }: WithKey,
  work: (webhooks: WebhookMethods) => Promise<Result>,
): Promise<Result> {
  if (withKey) return withMemberClient(command, context, ({ webhooks }) => work(webhooks));
  const team = requiredTeam(command);
  return withAdminClient(context, ({ webhooks }) => work(webhooks(team)));
}

function listsFrom(text: string | undefined): WebhookList[] {
  const names = text === undefined ? [] : text.split(',').map((name) => name.trim());
  return names.map((name) => {
    const list = listNames.find((known) => known === name);
    if (list === undefined)
      throw usageError(`There is no list ${name}: choose from ${listNames.join(', ')}.`);
    return list;
  });
}

function tierFrom(text = 'team'): 'team' | 'external' {
  if (text === 'team' || text === 'external') return text;
  throw usageError('--tier is team or external.');
}

function textOf(webhook: WebhookRecord): string {
  const { webhook_id, url, lists, tier, off_reason, off_since, failing_since, last_error } = webhook;
  const state =
    off_reason !== null
      ? `off since ${off_since} (${off_reason})`
      : failing_since !== null
        ? `failing since ${failing_since}, next attempt ${webhook.next_attempt_at}`
        : `on, delivered last ${webhook.last_delivery_at ?? 'never'}`;
  const error = last_error === null ? '' : `, last error ${webhook.last_error_at}: ${last_error}`;
  return `${webhook_id}  ${url}  ${lists.join(', ')} as tier ${tier}  ${state}${error}`;
}

function secretText(secret: string): string {
  return `Its secret, shown only now: ${secret}`;
}
