import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Client, type ProtocolEra } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { item } from '../support/http/api.ts';
import { newTeam, type TeamClients } from '../support/http/key-holder.ts';
import { lossyProxy } from '../support/proxies/lossy-proxy.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { tmsFolder } from '../support/sync/tms-folder.ts';

const program = join(import.meta.dirname, '../../libs/cli/src/main.ts');
/** Each test starts the program some times. */
const testTimeoutMs = 90_000;

vi.setConfig({ testTimeout: testTimeoutMs });
const service = sharedService();
let directory: TemporaryDirectory;
let clients: TeamClients;
let opened: Client[];

beforeEach(async () => {
  directory = await temporaryDirectory();
  clients = await newTeam(service());
  opened = [];
});

afterEach(async () => {
  for (const client of opened) await client.close();
  await directory.remove();
});

function environment(changes: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: directory.path,
    TMS_URL: service().url,
    TMS_TEAM: clients.slug,
    TMS_KEY: clients.teamKey,
    ...changes,
  };
}

/** Starts `tms mcp` with the official client of an era, as programs that agents run in do. */
async function connect(era: ProtocolEra, changes?: Record<string, string>): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
  );
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp'],
    cwd: directory.path,
    env: environment(changes),
    stderr: 'ignore',
  });
  await client.connect(transport);
  opened.push(client);
  return client;
}

/** Runs `tms mcp` with an input that has ended. */
async function run(changes: Record<string, string | undefined>, ...args: string[]) {
  const child = spawn(process.execPath, [program, 'mcp', ...args], {
    cwd: directory.path,
    env: { ...environment(), ...changes },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      text[stream] += chunk;
    });
  }
  const [code] = await once(child, 'close');
  return { code, ...text };
}

/** The text and the structured content of a call of a tool. */
async function call(client: Client, name: string, given: Record<string, unknown>) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: given });
  const text = (content as { text?: string }[]).map((part) => part.text ?? '').join('\n');
  return { text, data: structuredContent as Record<string, unknown>, isError: isError === true };
}

describe.each(['modern', 'legacy'] as const)('a client of the %s era', (era) => {
  test('calls every tool', async () => {
    const client = await connect(era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      ...['ask', 'changes', 'fetch', 'push', 'search', 'tasks'],
    ]);
    const rowKey = 'notes/deploying-tasks.md';
    const content = '# Deploying\n\nWe deploy on Tuesdays.\n\n- [ ] Write the checklist @ada\n';
    const pushed = await call(client, 'push', { row_key: rowKey, content, base_checksum: null });
    expect(pushed, pushed.text).toMatchObject({ isError: false });
    const again = await call(client, 'push', { row_key: rowKey, content: 'Other.', base_checksum: null });
    expect(again).toMatchObject({ isError: true, text: expect.stringContaining('conflict') });

    const found = await eventually('it is found', async () => {
      const answer = await call(client, 'search', { query: 'When do we deploy?' });
      return answer.text.includes(rowKey) ? answer : undefined;
    });
    expect(found.isError).toBe(false);
    expect(await call(client, 'fetch', { id: rowKey })).toMatchObject({
      isError: false,
      text: expect.stringContaining('We deploy on Tuesdays.'),
    });
    expect(await call(client, 'ask', { question: 'When do we deploy?' })).toMatchObject({
      isError: false,
      text: expect.stringContaining('Tuesdays'),
    });
    expect(await call(client, 'changes', { since: '2020-01-01T00:00:00Z' })).toMatchObject({
      isError: false,
      text: expect.stringContaining(rowKey),
    });
    const tasks = await call(client, 'tasks', { status: 'open', owner: 'me' });
    expect(tasks).toMatchObject({ isError: false, text: expect.stringContaining('Write the checklist') });
    const [task] = tasks.data.tasks as { id: string }[];
    expect(await call(client, 'fetch', { id: task?.id })).toMatchObject({
      isError: false,
      text: expect.stringContaining('Write the checklist'),
    });
    expect((await call(client, 'tasks', { owner: 'nobody' })).data.tasks).toEqual([]);
    const missing = 'decisions/019ab000-0000-7000-8000-000000000000';
    expect(await call(client, 'fetch', { id: missing })).toMatchObject({
      isError: true,
      text: expect.stringContaining('not_found'),
    });
  });

  test('is told when an item that it subscribed to changes, and of no other', async () => {
    await clients.team.push(item('plan.md'), item('other.md'));
    const client = await connect(era);
    const uri = `tms://${clients.slug}/plan.md`;
    const updated: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updated.push(params.uri);
    });
    if (era === 'modern') await client.listen({ resourceSubscriptions: [uri] });
    else await client.subscribeResource({ uri });
    await clients.team.push({ ...item('other.md'), content: 'Changed.', checksum: undefined });
    await clients.team.remove('plan.md');
    await eventually('it is told', () => updated.includes(uri));
    expect(new Set(updated)).toEqual(new Set([uri]));
  });

  test('gets errors of tools during an outage, also one at the start, and answers after it', async () => {
    let isDown = true;
    const proxy = await lossyProxy(service().url, () => isDown);
    try {
      const client = await connect(era, { TMS_URL: proxy.url });
      const changes = () => call(client, 'changes', {});
      for (const round of ['at the start', 'later']) {
        isDown = true;
        expect(await changes(), round).toMatchObject({
          isError: true,
          text: expect.stringContaining('unavailable'),
        });
        isDown = false;
        expect(await changes(), round).toMatchObject({ isError: false });
      }
    } finally {
      proxy.close();
    }
  });
});

test('a key that may only read is offered no tool that writes', async () => {
  const { key } = await asAdministrator(service(), (admin) =>
    admin.createKey({ team: clients.slug, member: 'ada', tier: 'team', access: 'read' }),
  );
  const client = await connect('modern', { TMS_KEY: key });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('push');
  expect(tools).toHaveLength(5);
});

test('started elsewhere, tms mcp --dir takes server, team and key from the folder and the config file', async () => {
  const { url } = service();
  const folder = await tmsFolder(join(directory.path, 'folder'), environment());
  expect(await folder.run('init')).toMatchObject({ code: 0 });
  const config = join(directory.path, '.config', 'tms', 'config.json');
  await mkdir(dirname(config), { recursive: true });
  const keys = { [`${url} ${clients.slug}`]: clients.teamKey };
  await writeFile(config, JSON.stringify({ keys }), { mode: 0o600 });
  const without = { TMS_URL: undefined, TMS_TEAM: undefined, TMS_KEY: undefined };
  expect(await run(without)).toMatchObject({ code: 2 });
  expect(await run(without, '--dir', folder.path)).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('tms mcp ends with its input, and prints nothing but the protocol on standard output', async () => {
  expect(await run({})).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await run({}, '--json')).toMatchObject({ code: 0, stdout: '' });
});

test('tms mcp without a team, or with a key that is refused, says why and ends with an exit code', async () => {
  expect(await run({ TMS_TEAM: undefined })).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('No team: use --team, set TMS_TEAM, run tms login'),
  });
  expect(await run({ TMS_KEY: 'tms_id_secret' })).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('next:  ask an administrator for a new key'),
  });
  expect(await run({}, '--dir', 'nowhere')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('There is no folder'),
  });
});
