import { isAbsolute, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  type Entry,
  type EntryTarget,
  type McpClient,
  mcpClientNames,
  mcpClients,
  mcpEndpoint,
  type NewEntry,
} from '@teammemory/vocabulary/mcp-entries.ts';
import type { CliContext } from '../cli-context.ts';
import { usageError } from '../cli-error.ts';
import { spelledUrl } from '../settings.ts';
import { homeFolder } from '../user-folders.ts';

/** Whose configuration: of everyone who works in a folder, or of the user. */
export type Scope = 'project' | 'user';

/** All clients. The configuration of the last two cannot name what holds a key, so they start a local program only. */
export const clientNames = [...mcpClientNames, 'claude-desktop', 'zed'] as const;

export type ClientName = (typeof clientNames)[number];

/** What is known of a client. */
export interface KnownClient extends Omit<McpClient, 'httpEntry'> {
  /** As of `McpClient`; undefined for a client that starts a local program only. */
  httpEntry?: McpClient['httpEntry'];
  /** Path of the file in a folder; undefined for a client that is set up for its user only. */
  projectFile?: string;
  /** The file of the user, and the folder that it has to lie in. */
  userFile(places: UserPlaces): { folder: string; path: string };
  /** Arguments of `tms` that name the folder, for a client that need not start it there. */
  folderArguments: readonly string[];
  /** Fields that every entry of a local program has. */
  programFields: Entry;
}

/** Where the configuration of a user may be. */
export interface UserPlaces {
  home: string;
  env: CliContext['env'];
  platform: NodeJS.Platform;
}

/** All clients. */
export const knownClients: Readonly<Record<ClientName, KnownClient>> = {
  claude: {
    ...mcpClients.claude,
    projectFile: '.mcp.json',
    userFile: ({ home, env }) => below(env.CLAUDE_CONFIG_DIR, home, '.claude.json'),
    // It starts its servers in the folder of the project.
    folderArguments: [],
    programFields: {},
  },
  codex: {
    ...mcpClients.codex,
    userFile: ({ home, env }) =>
      env.CODEX_HOME && isAbsolute(env.CODEX_HOME)
        ? below(env.CODEX_HOME, home, 'config.toml')
        : { folder: home, path: join(home, '.codex', 'config.toml') },
    folderArguments: [],
    programFields: {},
  },
  cursor: {
    ...mcpClients.cursor,
    projectFile: join('.cursor', 'mcp.json'),
    userFile: ({ home }) => ({ folder: home, path: join(home, '.cursor', 'mcp.json') }),
    folderArguments: ['--dir', `\${workspaceFolder}`],
    programFields: {},
  },
  vscode: {
    ...mcpClients.vscode,
    projectFile: join('.vscode', 'mcp.json'),
    userFile: (places) => {
      const folder = codeFolder(places);
      return { folder, path: join(folder, 'Code', 'User', 'mcp.json') };
    },
    folderArguments: ['--dir', `\${workspaceFolder}`],
    programFields: { type: 'stdio' },
  },
  gemini: {
    ...mcpClients.gemini,
    projectFile: join('.gemini', 'settings.json'),
    userFile: ({ home }) => ({ folder: home, path: join(home, '.gemini', 'settings.json') }),
    folderArguments: [],
    programFields: {},
  },
  windsurf: {
    ...mcpClients.windsurf,
    userFile: ({ home }) => ({
      folder: home,
      path: join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    }),
    folderArguments: [],
    programFields: {},
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    format: { syntax: 'json', container: 'mcpServers' },
    userFile: (places) => {
      const folder = codeFolder(places);
      return { folder, path: join(folder, 'Claude', 'claude_desktop_config.json') };
    },
    folderArguments: [],
    programFields: {},
  },
  zed: {
    title: 'Zed',
    format: { syntax: 'json with comments', container: 'context_servers' },
    projectFile: join('.zed', 'settings.json'),
    userFile: zedFile,
    // It starts its servers in the folder of the project.
    folderArguments: [],
    programFields: {},
  },
};

function zedFile(places: UserPlaces): { folder: string; path: string } {
  // On macOS it keeps its settings where it does on Linux.
  const folder = codeFolder(places.platform === 'darwin' ? { ...places, platform: 'linux' } : places);
  return { folder, path: join(folder, places.platform === 'win32' ? 'Zed' : 'zed', 'settings.json') };
}

function below(folder: string | undefined, home: string, file: string): { folder: string; path: string } {
  const chosen = folder && isAbsolute(folder) ? folder : home;
  return { folder: chosen, path: join(chosen, file) };
}

function codeFolder({ home, env, platform }: UserPlaces): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  const given = platform === 'win32' ? env.APPDATA : env.XDG_CONFIG_HOME;
  if (given && isAbsolute(given)) return given;
  return platform === 'win32' ? join(home, 'AppData', 'Roaming') : join(home, '.config');
}

/** Returns the places of the user who runs the program. */
export function userPlaces({ env }: Pick<CliContext, 'env'>): UserPlaces {
  const home = homeFolder(env);
  return { home, env, platform: process.platform };
}

/** How an entry reaches the service. */
export interface EntryForm {
  http: boolean;
  /** What starts `tms` on this machine: Node and the script, both as absolute paths. */
  program: readonly [node: string, script: string];
}

/**
 * Returns the entry of a target. In the file of a folder a local program learns service and team from that folder. Others
 * use that file on their machines, so `tms` has no path there; in a user's own file it has one, because a program that was
 * started from a desktop has another `PATH`.
 */
export function entryFor(
  client: KnownClient,
  { url, team }: EntryTarget,
  { scope, http, program, inputId }: EntryForm & { scope: Scope; inputId: string },
): NewEntry {
  if (http) {
    if (client.httpEntry === undefined) {
      throw usageError(`${client.title} takes no key from the environment: leave --http out.`);
    }
    return client.httpEntry(mcpEndpoint({ url, team }), inputId);
  }
  const [command, ...args] =
    scope === 'user'
      ? [...program, 'mcp', '--url', url, '--team', team]
      : ['tms', 'mcp', ...client.folderArguments];
  return { entry: { ...client.programFields, command, args } };
}

/**
 * Returns what an entry that `entryFor` could have made is for: a target, or `folder` if it says only that its folder knows.
 * Undefined for every other entry.
 */
export function targetOfEntry(entry: unknown): EntryTarget | 'folder' | undefined {
  const url = addressOf(entry);
  if (typeof url === 'string') {
    const [, base, team] = /^(.+)\/mcp\/([^/]+)$/.exec(url) ?? [];
    if (base === undefined || team === undefined) return undefined;
    return { url: spelledUrl(base), team };
  }
  const { args } = programOf(entry) ?? {};
  if (args?.[0] !== 'mcp') return undefined;
  const given = (flag: string) => {
    const index = args.indexOf(flag);
    return index === -1 ? undefined : String(args[index + 1]);
  };
  const [named, team] = [given('--url'), given('--team')];
  return named === undefined || team === undefined ? 'folder' : { url: spelledUrl(named), team };
}

/** The address of the endpoint, as each client calls it. */
function addressOf(entry: unknown): unknown {
  const { url, httpUrl, serverUrl } = fieldsOf(entry);
  return url ?? httpUrl ?? serverUrl;
}

function fieldsOf(entry: unknown): Entry {
  return typeof entry === 'object' && entry !== null ? (entry as Entry) : {};
}

/** Returns the path of `tms` in an entry, and the arguments behind it; undefined if the entry starts something else. */
function programOf(entry: unknown): { path: string; args: unknown[] } | undefined {
  const { command, args } = fieldsOf(entry);
  const words: unknown[] = [command, ...(Array.isArray(args) ? args : [])];
  // Users may have written down where the program is; `tms.js` comes behind its Node.
  for (const [at, name] of [/(^|[\\/])tms(\.cmd)?$/, /[\\/]tms\.js$/].entries()) {
    const path = words[at];
    if (typeof path === 'string' && name.test(path)) return { path, args: words.slice(at + 1) };
  }
  return undefined;
}

/**
 * Whether an entry does what `wanted` does. It may have more fields, and another path of the program, but not none where
 * one is wanted.
 */
export function saysTheSame(entry: unknown, wanted: Entry): boolean {
  const existing = fieldsOf(entry);
  const isHttp = addressOf(wanted) !== undefined;
  if (isHttp ? 'command' in existing : addressOf(existing) !== undefined) return false;
  const [found, asked] = [programOf(existing), programOf(wanted)];
  if (found?.path === 'tms' && asked?.path !== 'tms') return false;
  if (!isDeepStrictEqual(found?.args, asked?.args)) return false;
  return Object.entries(wanted).every(
    ([name, value]) => ['command', 'args'].includes(name) || isDeepStrictEqual(existing[name], value),
  );
}
