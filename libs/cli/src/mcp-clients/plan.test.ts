import { httpConfiguration, mcpClientNames } from '@teammemory/vocabulary/mcp-entries.ts';
import { describe, expect, test } from 'vitest';
import { type ClientName, clientNames, knownClients, type Scope } from './clients.ts';
import type { ConfigurationFile } from './configuration-file.ts';
import { planInstall, planUninstall } from './plan.ts';

const program = ['/opt/node', '/opt/tms/bin/tms.js'] as const;
const target = { url: 'https://memory.example.com', team: 'rivers' };

function file(text: string | undefined, scope: Scope = 'project', backupText?: string): ConfigurationFile {
  return { path: '/folder/file', backup: '/folder/file.tms-backup', text, backupText, scope };
}

/** Installs into a text and returns the new one. */
function installed(
  client: ClientName,
  text: string | undefined,
  { scope = 'project', http = false }: { scope?: Scope; http?: boolean } = {},
): string {
  return planInstall(knownClients[client], file(text, scope), target, { http, program }).text ?? '';
}

/** Uninstalls from a text; without a backup nothing but the text itself says what it was. */
function uninstalled(
  client: ClientName,
  text: string,
  scope: Scope = 'project',
  backup?: string,
): string | undefined {
  return planUninstall(knownClients[client], file(text, scope, backup), target, program).text;
}

const formsOf = (client: ClientName) =>
  knownClients[client].httpEntry === undefined ? [false] : [false, true];

const userArguments = [
  '/opt/tms/bin/tms.js',
  'mcp',
  '--url',
  'https://memory.example.com',
  '--team',
  'rivers',
];

describe('a new file', () => {
  test('has the entry of a local program and a path only for the user alone, and never a key', () => {
    expect(installed('claude', undefined)).toBe(
      '{\n  "mcpServers": {\n    "team-memory": {\n      "command": "tms",\n      "args": [\n        "mcp"\n      ]\n    }\n  }\n}\n',
    );
    expect(JSON.parse(installed('claude', undefined, { scope: 'user' }))).toEqual({
      mcpServers: { 'team-memory': { command: '/opt/node', args: userArguments } },
    });
    expect(JSON.parse(installed('cursor', undefined))).toEqual({
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the program replaces it
      mcpServers: { 'team-memory': { command: 'tms', args: ['mcp', '--dir', '${workspaceFolder}'] } },
    });
    expect(JSON.parse(installed('vscode', undefined))).toEqual({
      servers: {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the program replaces it
        'team-memory': { type: 'stdio', command: 'tms', args: ['mcp', '--dir', '${workspaceFolder}'] },
      },
    });
    expect(installed('codex', undefined, { scope: 'user' })).toBe(
      '[mcp_servers.team-memory]\ncommand = "/opt/node"\nargs = ["/opt/tms/bin/tms.js", "mcp", "--url", "https://memory.example.com", "--team", "rivers"]\n',
    );
  });

  test('has the container of its client, and an entry over HTTP only where the client takes the key from elsewhere', () => {
    const program = { command: '/opt/node', args: userArguments };
    expect(JSON.parse(installed('zed', undefined, { scope: 'user' }))).toEqual({
      context_servers: { 'team-memory': program },
    });
    for (const client of ['claude-desktop', 'windsurf', 'gemini'] as const) {
      expect(JSON.parse(installed(client, undefined, { scope: 'user' }))).toEqual({
        mcpServers: { 'team-memory': program },
      });
    }
    for (const client of ['claude-desktop', 'zed'] as const) {
      expect(() => installed(client, undefined, { scope: 'user', http: true })).toThrow(/leave --http out/);
    }
  });

  test('is what the dashboard shows to paste', () => {
    for (const client of mcpClientNames) {
      expect(installed(client, undefined, { http: true })).toBe(httpConfiguration(client, target));
    }
  });

  test('has with --http the address of the endpoint and only the name of what holds the key', () => {
    const url = 'https://memory.example.com/mcp/rivers';
    const entry = (client: ClientName, container: string) =>
      JSON.parse(installed(client, undefined, { http: true }))[container]['team-memory'];
    expect(entry('claude', 'mcpServers')).toEqual({
      type: 'http',
      url,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the program replaces it
      headers: { Authorization: 'Bearer ${TMS_KEY}' },
    });
    expect(entry('gemini', 'mcpServers')).toEqual({
      httpUrl: url,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the program replaces it
      headers: { Authorization: 'Bearer ${TMS_KEY}' },
    });
    expect(entry('windsurf', 'mcpServers')).toEqual({
      serverUrl: url,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the program replaces it
      headers: { Authorization: 'Bearer ${env:TMS_KEY}' },
    });
    expect(entry('cursor', 'mcpServers')).toEqual({
      url,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the program replaces it
      headers: { Authorization: 'Bearer ${env:TMS_KEY}' },
    });
    expect(JSON.parse(installed('vscode', undefined, { http: true }))).toEqual({
      servers: {
        'team-memory': {
          type: 'http',
          url,
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the program replaces it
          headers: { Authorization: 'Bearer ${input:team-memory-key}' },
        },
      },
      inputs: [
        { type: 'promptString', id: 'team-memory-key', description: 'Key of Team Memory', password: true },
      ],
    });
    expect(installed('codex', undefined, { scope: 'user', http: true })).toBe(
      `[mcp_servers.team-memory]\nurl = "${url}"\nbearer_token_env_var = "TMS_KEY"\n`,
    );
  });

  test.each(clientNames)('goes again when %s is uninstalled', (client) => {
    for (const http of formsOf(client)) {
      expect(uninstalled(client, installed(client, undefined, { http }))).toBeUndefined();
    }
  });
});

/** Texts of each client with every peculiarity that must stay. */
const texts: Record<ClientName, string[]> = {
  claude: [
    '{}',
    '{"numStartups": 3, "mcpServers": {"other": {"command": "x"}}}',
    '{\r\n\t"a": 1.0,\r\n\t"mcpServers": {\r\n\t\t"other": { "command": "x" }\r\n\t},\r\n\t"z": [ ]\r\n}\r\n',
    '{\n    "mcpServers": {},\n    "b": "\\u00e9"\n}',
  ],
  cursor: ['{\n  // ours\n  "mcpServers": {\n    "other": { "url": "http://x" }, // last\n  },\n}\n'],
  vscode: [
    '// top\n{\n\t/* ours */\n\t"inputs": [],\n\t"servers": {\n\t\t"other": { "command": "x" } // why\n\t\t// end\n\t}\n} // bottom\n',
    '{\n  "servers": {\n    "other": { "command": "x" } /* one */ // two\n  },\n  "inputs": [\n    { "type": "promptString", "id": "mine" }\n  ]\n}\n',
    '{ "servers": { "other": { "command": "x" }, }, }\n',
  ],
  gemini: [
    '{\n  // ours\n  "theme": "x",\n  "mcpServers": {\n    "other": { "httpUrl": "http://x" }\n  }\n}\n',
  ],
  windsurf: ['{\n  "mcpServers": {\n    "other": { "serverUrl": "http://x" }\n  }\n}\n'],
  'claude-desktop': ['{\n  "mcpServers": {},\n  "preferences": { "a": true }\n}\n'],
  zed: [
    '// Zed settings\n{\n  "theme": { "mode": "system" }, // why\n  "context_servers": {\n    "other": { "command": "x", "args": [] },\n  },\n}\n',
  ],
  codex: [
    '# mine\nmodel = "gpt"   # aligned\n\n[mcp_servers.other]\ncommand = "x"\nargs = [\n  "[a]", # why\n]\n\n[mcp_servers.other.env]\nA = """\n[not.a.table]\n"""\n\n# the last\n[profiles.z]\nwhen = 1979-05-27\nbig = 9007199254740993\n',
    'model = "gpt"\r\n[mcp_servers]\r\n',
    'model = "gpt"',
  ],
};

describe.each(clientNames.flatMap((client) => (texts[client] ?? []).map((text) => [client, text] as const)))(
  'the configuration %s %j',
  (client, text) => {
    test('keeps everything else, and installing twice changes nothing', () => {
      for (const http of formsOf(client)) {
        const after = installed(client, text, { http });
        expect(after).toContain('team-memory');
        const words = text.split(/[\s,]+/).filter((word) => /[^[\]{}]/.test(word));
        for (const word of words) expect(after).toContain(word.replace(/[\]}]+$/, ''));
        const again = planInstall(knownClients[client], file(after), target, { http, program });
        expect(again).toMatchObject({ change: 'none', text: after });
      }
    });

    test('is byte for byte what it was after uninstalling, from the backup', () => {
      for (const http of formsOf(client)) {
        const after = installed(client, text, { http });
        expect(uninstalled(client, after, 'project', text)).toBe(text);
      }
    });

    test('keeps what was changed since the installation, without the help of the backup', () => {
      const without = uninstalled(client, installed(client, text), 'project', '{"stale": true}') ?? '';
      expect(without).not.toContain('team-memory');
      const isEmptied = ['{}', texts.claude[3]].includes(text);
      if (!isEmptied && text.endsWith('\n')) expect(without).toBe(text);
    });
  },
);

describe('names', () => {
  const codex = knownClients.codex;
  const other =
    '[mcp_servers.team-memory]\ncommand = "tms"\nargs = ["mcp", "--url", "https://memory.example.com", "--team", "lakes"]\n';

  test('a second team gets the name with its slug, and is removed alone', () => {
    const plan = planInstall(codex, file(other, 'user'), target, { http: false, program });
    expect(plan).toMatchObject({ change: 'added', name: 'team-memory-rivers' });
    expect(plan.text?.startsWith(other)).toBe(true);
    expect(planUninstall(codex, file(plan.text, 'user'), target, program)).toEqual({
      change: 'removed',
      name: 'team-memory-rivers',
      text: other,
    });
    expect(planUninstall(codex, file(other, 'user'), target, program)).toMatchObject({
      change: 'none',
      text: other,
    });
  });

  test('entries of others with both names are left alone', () => {
    const text = '{"mcpServers": {"team-memory": {"command": "a"}, "team-memory-rivers": {"command": "b"}}}';
    expect(() => planInstall(knownClients.claude, file(text), target, { http: false, program })).toThrow(
      'has other entries called',
    );
    expect(uninstalled('claude', text)).toBe(text);
  });

  test('another form of our own entry is replaced in its place, and its input goes with it', () => {
    const http = installed('vscode', '{\n  "servers": {}, // a\n  "inputs": [{"id": "mine"}]\n}\n', {
      http: true,
    });
    const plan = planInstall(knownClients.vscode, file(http), target, { http: false, program });
    expect(plan.change).toBe('changed');
    const { servers } = JSON.parse(plan.text?.replace('// a', '') ?? '');
    expect(servers['team-memory'].type).toBe('stdio');
    const without = uninstalled('vscode', plan.text ?? '');
    expect(without).toContain('// a');
    expect(JSON.parse(without?.replace('// a', '') ?? '')).toEqual({ servers: {}, inputs: [{ id: 'mine' }] });
  });

  test('a path of the program and more fields, which the user may have added, stay', () => {
    const text =
      '{"mcpServers": {"team-memory": {"command": "/opt/bin/tms", "args": ["mcp"], "env": {"A": "b"}}}}';
    expect(planInstall(knownClients.claude, file(text), target, { http: false, program })).toMatchObject({
      change: 'none',
      text,
    });
  });

  test('an entry of the user without a path gets one, and keeps its name', () => {
    const { change, name, text } = planInstall(
      codex,
      file(other.replace('lakes', 'rivers'), 'user'),
      target,
      {
        http: false,
        program,
      },
    );
    expect({ change, name }).toEqual({ change: 'changed', name: 'team-memory' });
    expect(text).toBe(installed('codex', undefined, { scope: 'user' }));
  });
});

test.each([
  ['claude', '{ // a comment\n}', 'not valid JSON'],
  ['claude', '[]', 'not a JSON object'],
  ['claude', '{"mcpServers": []}', 'not a list of servers'],
  ['claude', '{"mcpServers": {}, "mcpServers": {}}', 'twice'],
  ['vscode', '{"servers": {"a": }', 'not valid JSON'],
  ['codex', 'a = 1\na = 2\n', 'not valid TOML'],
  ['codex', 'mcp_servers = { other = { command = "x" } }\n', 'by hand'],
] as const)('a file of %s that is %j is refused: %s', (client, text, problem) => {
  expect(() => installed(client, text)).toThrow(problem);
});
