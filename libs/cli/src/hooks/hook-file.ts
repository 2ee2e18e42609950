import { isAbsolute, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { getNodeValue, type Node } from 'jsonc-parser';
import { CliError, usageError } from '../cli-error.ts';
import type { UserPlaces } from '../mcp-clients/clients.ts';
import { insertLast, memberOf, parseJson, removeChild } from '../mcp-clients/json-edit.ts';

/** The programs whose sessions can begin with a brief and end with a nudge. */
export const hookClients = ['claude', 'codex', 'cursor'] as const;

export type HookClient = (typeof hookClients)[number];

/** The moments of a session that have a hook. */
export const hookMoments = ['start', 'stop'] as const;

export type HookMoment = (typeof hookMoments)[number];

interface HookFormat {
  title: string;
  /** What the program calls the moments. */
  events: Record<HookMoment, string>;
  /** The file of the user, and the folder that it has to lie in. */
  file(places: UserPlaces): { folder: string; path: string };
  /** One hook of an event. */
  entry(command: string): object;
  /** Members that the file must have. */
  members: Readonly<Record<string, unknown>>;
}

/** Seconds after which a program gives up on a hook, which itself takes one. */
const timeoutSeconds = 5;
const grouped = (command: string) => ({ hooks: [{ type: 'command', command, timeout: timeoutSeconds }] });

/** How each program writes down its hooks. */
export const hookFormats: Readonly<Record<HookClient, HookFormat>> = {
  claude: {
    title: 'Claude Code',
    events: { start: 'SessionStart', stop: 'Stop' },
    file: ({ home, env }) => inFolder(env.CLAUDE_CONFIG_DIR, { home, name: '.claude' }, 'settings.json'),
    entry: grouped,
    members: {},
  },
  codex: {
    title: 'Codex',
    events: { start: 'SessionStart', stop: 'Stop' },
    file: ({ home, env }) => inFolder(env.CODEX_HOME, { home, name: '.codex' }, 'hooks.json'),
    entry: grouped,
    members: {},
  },
  cursor: {
    title: 'Cursor',
    events: { start: 'sessionStart', stop: 'stop' },
    file: ({ home }) => inFolder(undefined, { home, name: '.cursor' }, 'hooks.json'),
    entry: (command) => ({ command, timeout: timeoutSeconds }),
    members: { version: 1 },
  },
};

function inFolder(
  given: string | undefined,
  { home, name }: { home: string; name: string },
  file: string,
): { folder: string; path: string } {
  if (given && isAbsolute(given)) return { folder: given, path: join(given, file) };
  return { folder: home, path: join(home, name, file) };
}

/**
 * Returns the command of a hook, for the shells of all systems. Throws a usage error for a path with characters that a shell
 * would read.
 */
function commandFor(client: HookClient, moment: HookMoment, program: readonly [string, string]): string {
  for (const path of program) {
    if (/["$`%!\r\n]|\\$/.test(path))
      throw usageError(`No hook can start ${path}: a shell would read its name.`);
  }
  const [node, script] = program.map((path) => `"${path}"`);
  return `${node} ${script} hooks run ${client} ${moment}`;
}

/** A command that `commandFor` made, here or where `tms` was before. */
const ours = /[\\/]tms\.js" hooks run (?:claude|codex|cursor) (?:start|stop)$/;

/**
 * Returns the text of a configuration with the hooks of a program, in place of earlier ones of ours; everything else stays
 * byte for byte. Throws CliError `bad_file`, and a usage error as of `commandFor`.
 */
export function putHooks(
  client: HookClient,
  { path, text }: { path: string; text: string | undefined },
  program: readonly [string, string],
): string {
  const { events, entry, members } = hookFormats[client];
  const isNew = text === undefined || text.trim() === '';
  return editing(path, () => {
    const before = isNew ? '{}' : text;
    const wanted = hookMoments.map((moment) => commandFor(client, moment, program));
    if (isDeepStrictEqual(ourCommands(client, before), wanted)) return before;
    let written = withoutHooks(client, before);
    for (const [name, value] of Object.entries(members)) {
      const root = rootOf(written);
      if (memberOf(root, name) === undefined) written = insertLast(written, root, { name, value });
    }
    for (const [index, moment] of hookMoments.entries()) {
      written = appended(written, events[moment], entry(wanted[index] ?? ''));
    }
    return isNew ? `${written}\n` : written;
  });
}

/** Returns the text without our hooks, and without what is empty for that. Throws CliError `bad_file`. */
export function removeHooks(client: HookClient, { path, text }: { path: string; text: string }): string {
  return editing(path, () => withoutHooks(client, text));
}

function appended(text: string, event: string, value: object): string {
  const root = rootOf(text);
  const hooks = memberOf(root, 'hooks');
  if (hooks === undefined) return insertLast(text, root, { name: 'hooks', value: { [event]: [value] } });
  const list = memberOf(hooks, event);
  if (list === undefined) return insertLast(text, hooks, { name: event, value: [value] });
  if (list.type !== 'array') throw new SyntaxError(`Its hooks of ${event} are not a list.`);
  return insertLast(text, list, { value });
}

function withoutHooks(client: HookClient, text: string): string {
  let written = text;
  for (const event of Object.values(hookFormats[client].events)) {
    for (let own = ownHook(written, event); own !== undefined; own = ownHook(written, event)) {
      const { list, child } = own;
      const hooks = list.parent?.parent;
      if (list.children?.length !== 1 || list.parent === undefined || hooks === undefined) {
        written = removeChild(written, list, child);
      } else if (hooks.children?.length === 1 && hooks.parent?.parent !== undefined) {
        written = removeChild(written, hooks.parent.parent, hooks.parent);
      } else written = removeChild(written, hooks, list.parent);
    }
  }
  return written;
}

function ownHook(text: string, event: string): { list: Node; child: Node } | undefined {
  const hooks = memberOf(rootOf(text), 'hooks');
  const list = hooks && memberOf(hooks, event);
  const child = list?.children?.find((each) =>
    commandsOf(getNodeValue(each)).some((command) => ours.test(command)),
  );
  return list === undefined || child === undefined ? undefined : { list, child };
}

function ourCommands(client: HookClient, text: string): string[] {
  return Object.values(hookFormats[client].events).flatMap((event) => {
    const own = ownHook(text, event);
    return own === undefined ? [] : commandsOf(getNodeValue(own.child));
  });
}

/** The commands of an entry, which has one or a list of them. */
function commandsOf(entry: unknown): string[] {
  const { command, hooks } = (entry ?? {}) as { command?: unknown; hooks?: unknown };
  const nested = Array.isArray(hooks) ? hooks.flatMap(commandsOf) : [];
  return typeof command === 'string' ? [command, ...nested] : nested;
}

function rootOf(text: string): Node {
  const root = parseJson(text, { comments: true });
  const hooks = memberOf(root, 'hooks');
  if (hooks !== undefined && hooks.type !== 'object') throw new SyntaxError('Its hooks are not an object.');
  return root;
}

function editing(path: string, edit: () => string): string {
  try {
    return edit();
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new CliError('bad_file', `${path} was not changed. ${error.message}`);
    throw error;
  }
}
