import {
  type EntryTarget,
  entryName,
  httpConfiguration,
  keyVariable,
  type McpClientName,
  mcpClients,
  mcpEndpoint,
} from '@teammemory/vocabulary/mcp-entries.ts';
import { t } from '../../language/language.ts';

/** One thing to do, and what to paste for it. */
export interface Step {
  say: string;
  text: string;
}

/** What can be connected. */
export interface Connection {
  name: string;
  label: string;
  steps(target: EntryTarget, key: string): Step[];
  /** What to do when that is done. */
  afterwards: string;
}

/** The files of the clients that `tms mcp install` knows, as docs/agents.md lists them. */
const files: Readonly<Record<McpClientName, string>> = {
  claude: t('.mcp.json of your project'),
  codex: '~/.codex/config.toml',
  cursor: '~/.cursor/mcp.json',
  vscode: t('.vscode/mcp.json of your project'),
  gemini: '~/.gemini/settings.json',
  windsurf: '~/.codeium/windsurf/mcp_config.json',
};

function agent(name: McpClientName): Connection {
  const { title } = mcpClients[name];
  const asksForKey = name === 'vscode';
  return {
    name,
    label: title,
    steps: (target, key) => [
      asksForKey
        ? { say: t('VS Code asks for the key once and stores it:'), text: key }
        : {
            say: t('Put the key where {title} starts. On macOS and Linux:', { title }),
            text: `export ${keyVariable}=${key}`,
          },
      ...(asksForKey
        ? []
        : [{ say: t('On Windows, then open a new terminal:'), text: `setx ${keyVariable} ${key}` }]),
      { say: t('Add this to {file}:', { file: files[name] }), text: httpConfiguration(name, target) },
    ],
    afterwards: t('Start {title} there, and let it search the memory.', { title }),
  };
}

const login = ({ url, team }: EntryTarget, more = '') => `tms login${more} --url ${url} --team ${team}`;

/** What the page shows first. */
export const firstConnection = agent('claude');

/** Everything that the page Connect knows to set up; the texts are complete, with the address, team and key. */
export const connections: readonly Connection[] = [
  firstConnection,
  {
    name: 'desktop',
    label: 'Claude Desktop',
    steps: (target, key) => [
      {
        say: t('Claude Desktop runs tms. Store the key of agents; this asks for it:'),
        text: login(target, ' --agents'),
      },
      { say: t('The key:'), text: key },
      {
        say: t(
          'Add this to claude_desktop_config.json (Settings, Developer, Edit Config). If it does not find tms, write its full path:',
        ),
        text: `${JSON.stringify(
          {
            mcpServers: {
              [entryName]: { command: 'tms', args: ['mcp', '--url', target.url, '--team', target.team] },
            },
          },
          null,
          2,
        )}\n`,
      },
    ],
    afterwards: t('Restart Claude Desktop, and let it search the memory.'),
  },
  agent('codex'),
  agent('cursor'),
  agent('vscode'),
  agent('gemini'),
  agent('windsurf'),
  {
    name: 'mcp',
    label: t('Another MCP client'),
    steps: (target, key) => [
      { say: t('The address, over Streamable HTTP:'), text: mcpEndpoint(target) },
      { say: t('The header to send with every request:'), text: `Authorization: Bearer ${key}` },
    ],
    afterwards: t('Let it list the tools.'),
  },
  {
    name: 'tms',
    label: t('tms, a folder in step'),
    steps: (target, key) => [
      { say: t('Store the key; this asks for it:'), text: login(target) },
      { say: t('The key:'), text: key },
      { say: t('Keep a folder of Markdown in step with the team:'), text: 'tms init notes\ntms sync notes' },
    ],
    afterwards: t('The login is the first call.'),
  },
  {
    name: 'curl',
    label: 'curl',
    steps: ({ url, team }, key) => [
      {
        say: t('Say who the key is:'),
        text: `curl ${url}/api/v1/whoami -H 'Authorization: Bearer ${key}' -H 'X-Svc-Team: ${team}'`,
      },
    ],
    afterwards: t('The address /docs lists all requests.'),
  },
  {
    name: 'sdk',
    label: t('The SDK, in JavaScript'),
    steps: ({ url, team }, key) => [
      {
        say: t('Give the program its settings:'),
        text: `export TMS_URL=${url} TMS_TEAM=${team} ${keyVariable}=${key}`,
      },
      {
        say: t('Read the memory:'),
        text: `import { createTeamMemoryClient } from '@teammemory/client';

const client = createTeamMemoryClient({
  url: process.env.TMS_URL,
  team: process.env.TMS_TEAM,
  key: process.env.${keyVariable},
});

for await (const item of client.items()) console.log(item.row_key);
`,
      },
    ],
    afterwards: t('Run the program.'),
  },
];
