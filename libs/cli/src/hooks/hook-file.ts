import { isAbsolute, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { getNodeValue, type Node } from 'jsonc-parser';
import type { CliContext } from '../cli-context.ts';
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
  /** One hook of an event. After so many seconds the program gives up on it. */
  entry(command: string, timeout: number): object;
  /** Members that the file must have. */
  members: Readonly<Record<string, unknown>>;
}

const grouped = (command: string, timeout: number) => ({ hooks: [{ type: 'command', command, timeout }] });

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
    entry: (command, timeout) => ({ command, timeout }),
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

/** Hooks of this program in the configuration of another one. */
export interface OwnHooks {
  client: HookClient;
  /** Fits every command of them, those of an earlier version or of where `tms` was before as well. */
  own: RegExp;
  timeoutSeconds: number;
  /** Returns the commands by event. Throws a usage error for parts that a shell would read. */
  commands(program: CliContext['program']): Record<string, string>;
}

/** The hooks that brief and nudge sessions, which take a second at most. */
export function briefHooks(client: HookClient): OwnHooks {
  const { events } = hookFormats[client];
  return {
    client,
    own: /[\\/]tms\.js" hooks run (?:claude|codex|cursor) (?:start|stop)$/,
    timeoutSeconds: 5,
    commands: (program) =>
      Object.fromEntries(
        hookMoments.map((moment) => [events[moment], `${quoted(program)} hooks run ${client} ${moment}`]),
      ),
  };
}

/** The hook that reports at the end of sessions. Claude Code waits for no hook longer than a minute there. */
export function reportHooks(options: readonly string[]): OwnHooks {
  return {
    client: 'claude',
    // Versions before had quotes around each part.
    own: /[\\/]tms\.js" "?report"? "?--yes"? "?--quiet"?(?: |$)/,
    timeoutSeconds: 60,
    commands: (program) => ({
      SessionEnd: `${quoted(program)} report --yes --quiet ${quoted(options)}`,
    }),
  };
}

/** Quotes parts of a command for the shells of all systems. */
function quoted(parts: readonly string[]): string {
  for (const part of parts) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it has to find control characters
    if (/["$`%!\u0000-\u001f\u007f]|\\$/.test(part))
      throw usageError(`No hook can have ${part} in its command: a shell would read it.`);
  }
  return parts.map((part) => `"${part}"`).join(' ');
}

/**
 * Returns the text of a configuration with hooks, in place of earlier ones of the same; everything else stays byte for
 * byte. Throws CliError `bad_file`, and a usage error as of `OwnHooks`.
 */
export function putHooks(
  hooks: OwnHooks,
  { path, text }: { path: string; text: string | undefined },
  program: CliContext['program'],
): string {
  const { entry, members } = hookFormats[hooks.client];
  const isNew = text === undefined || text.trim() === '';
  return editing(path, () => {
    const before = isNew ? '{}' : text;
    const wanted = hooks.commands(program);
    const present = ownIn(before, hooks).map(({ event, command }) => [event, command]);
    if (isDeepStrictEqual(present.toSorted(), Object.entries(wanted).toSorted())) return before;
    let written = withoutHooks(before, hooks);
    for (const [name, value] of Object.entries(members)) {
      const root = rootOf(written);
      if (memberOf(root, name) === undefined) written = insertLast(written, root, { name, value });
    }
    for (const [event, command] of Object.entries(wanted)) {
      written = appended(written, event, entry(command, hooks.timeoutSeconds));
    }
    return isNew ? `${written}\n` : written;
  });
}

/** Returns the text without those hooks, and without what is empty for that. Throws CliError `bad_file`. */
export function removeHooks(hooks: OwnHooks, { path, text }: { path: string; text: string }): string {
  return editing(path, () => withoutHooks(text, hooks));
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

function withoutHooks(text: string, hooks: OwnHooks): string {
  let written = text;
  for (let [own] = ownIn(written, hooks); own !== undefined; [own] = ownIn(written, hooks)) {
    // An entry goes with its last hook; so do the list of an event, the event, and the member of all hooks.
    const [container, child] = own.levels.find(([{ children = [] }]) => children.length > 1) ?? own.outermost;
    written = removeChild(written, container, child);
  }
  return written;
}

type Level = [container: Node, child: Node];

/** Finds our hooks: entries of an event, or elements of the `hooks` of an entry, which can have others beside them. */
function ownIn(
  text: string,
  { own }: OwnHooks,
): { event: string; command: string; levels: Level[]; outermost: Level }[] {
  const root = rootOf(text);
  const events = memberOf(root, 'hooks');
  if (events?.parent === undefined) return [];
  const outermost: Level = [root, events.parent];
  const found: ReturnType<typeof ownIn> = [];
  for (const event of events.children ?? []) {
    const list = event.children?.[1];
    for (const entry of elementsOf(list)) {
      const inner = entry.type === 'object' ? memberOf(entry, 'hooks') : undefined;
      for (const hook of [entry, ...elementsOf(inner)]) {
        const { command } = (getNodeValue(hook) ?? {}) as { command?: unknown };
        if (list === undefined || typeof command !== 'string' || !own.test(command)) continue;
        const levels: Level[] = [
          [list, entry],
          [events, event],
        ];
        if (inner !== undefined && hook !== entry) levels.unshift([inner, hook]);
        found.push({ event: String(event.children?.[0]?.value), command, levels, outermost });
      }
    }
  }
  return found;
}

function elementsOf(list: Node | undefined): Node[] {
  return list?.type === 'array' ? (list.children ?? []) : [];
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
