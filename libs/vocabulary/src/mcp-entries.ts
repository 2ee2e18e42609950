// How programs that run agents write down the HTTP endpoint: `tms mcp install --http` writes it, the dashboard shows it.

/** The programs that agents run in whose configuration is known. */
export const mcpClientNames = ['claude', 'codex', 'cursor', 'vscode', 'gemini', 'windsurf'] as const;

export type McpClientName = (typeof mcpClientNames)[number];

/** How a client writes down the servers it uses. */
export interface EntryFormat {
  syntax: 'json' | 'json with comments' | 'toml';
  /** The member or table whose members are the servers. */
  container: 'mcpServers' | 'servers' | 'mcp_servers' | 'context_servers';
}

/** A server as its client reads it. */
export type Entry = Record<string, unknown>;

/** What VS Code asks its user for, once. */
export interface Input {
  id: string;
  [name: string]: unknown;
}

/** An entry and what belongs to it. */
export interface NewEntry {
  entry: Entry;
  input?: Input;
}

/** The service and team of an entry. */
export interface EntryTarget {
  url: string;
  team: string;
}

/** The entry of a client. */
export interface McpClient {
  /** As its makers call it. */
  title: string;
  format: EntryFormat;
  /** The entry of the HTTP endpoint. The key is no part of it, only the name of what holds it. */
  httpEntry(endpoint: string, inputId: string): NewEntry;
}

/** The name of an entry, unless it is taken. */
export const entryName = 'team-memory';

/** The environment variable that HTTP entries name. */
export const keyVariable = 'TMS_KEY';

/** All clients. */
export const mcpClients: Readonly<Record<McpClientName, McpClient>> = {
  claude: {
    title: 'Claude Code',
    format: { syntax: 'json', container: 'mcpServers' },
    httpEntry: (url) => ({
      entry: { type: 'http', url, headers: { Authorization: `Bearer \${${keyVariable}}` } },
    }),
  },
  codex: {
    title: 'Codex',
    format: { syntax: 'toml', container: 'mcp_servers' },
    httpEntry: (url) => ({ entry: { url, bearer_token_env_var: keyVariable } }),
  },
  cursor: {
    title: 'Cursor',
    format: { syntax: 'json with comments', container: 'mcpServers' },
    httpEntry: (url) => ({
      entry: { url, headers: { Authorization: `Bearer \${env:${keyVariable}}` } },
    }),
  },
  vscode: {
    title: 'VS Code',
    format: { syntax: 'json with comments', container: 'servers' },
    httpEntry: (url, inputId) => ({
      entry: { type: 'http', url, headers: { Authorization: `Bearer \${input:${inputId}}` } },
      input: { type: 'promptString', id: inputId, description: 'Key of Team Memory', password: true },
    }),
  },
  gemini: {
    title: 'Gemini CLI',
    format: { syntax: 'json with comments', container: 'mcpServers' },
    httpEntry: (url) => ({
      entry: { httpUrl: url, headers: { Authorization: `Bearer \${${keyVariable}}` } },
    }),
  },
  windsurf: {
    title: 'Windsurf',
    format: { syntax: 'json', container: 'mcpServers' },
    httpEntry: (url) => ({
      entry: { serverUrl: url, headers: { Authorization: `Bearer \${env:${keyVariable}}` } },
    }),
  },
};

/** The address of the HTTP endpoint of a team. */
export function mcpEndpoint({ url, team }: EntryTarget): string {
  return `${url}/mcp/${team}`;
}

/** The id of what VS Code asks for, by the name of the entry. */
export function inputIdOf(name: string): string {
  return `${name}-key`;
}

/** The text of a configuration file that has nothing but the entry of the HTTP endpoint. */
export function httpConfiguration(name: McpClientName, target: EntryTarget): string {
  const { format, httpEntry } = mcpClients[name];
  const { entry, input } = httpEntry(mcpEndpoint(target), inputIdOf(entryName));
  if (format.syntax === 'toml') {
    const values = Object.entries(entry).map(([field, value]) => `${field} = ${JSON.stringify(value)}\n`);
    return `[${format.container}.${entryName}]\n${values.join('')}`;
  }
  const servers = { [format.container]: { [entryName]: entry } };
  return `${JSON.stringify(input === undefined ? servers : { ...servers, inputs: [input] }, null, 2)}\n`;
}
