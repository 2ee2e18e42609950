import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, onTestFinished, test } from 'vitest';
import { item } from './support/http/api.ts';
import { openSession } from './support/http/browser-session.ts';
import { newTeam } from './support/http/key-holder.ts';
import { ask, decide } from './support/mcp/oauth-app.ts';
import { sharedService } from './support/service/shared-service.ts';

// mcp-remote brings programs that know no OAuth to a server that wants it: they speak to it over its input and output.

const service = sharedService({ environment: { OAUTH_DCR: 'on' } });
const manifest = createRequire(import.meta.url).resolve('mcp-remote/package.json');
const program = join(dirname(manifest), 'dist', 'proxy.js');
const limits = { timeout: 120_000 };

/** Starts it for an address; it keeps what it is given in a folder. `said` is what it told its user so far. */
function startRemote(url: string, folder: string) {
  const client = new Client({ name: 'otter', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, url],
    // The browser that it opens does nothing; the test goes where it would.
    env: { PATH: process.env.PATH ?? '', HOME: folder, MCP_REMOTE_CONFIG_DIR: folder, BROWSER: 'true' },
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (bytes: Buffer) => {
    said += bytes.toString();
  });
  onTestFinished(() => client.close());
  return { client, connected: client.connect(transport, limits), said: () => said };
}

test('mcp-remote registers itself, signs its user in, and does not ask again', limits, async () => {
  const team = await newTeam(service());
  await team.team.push(item('ferry.md', 'The ferry leaves at nine.'));
  const { path: folder, remove } = await temporaryDirectory();
  onTestFinished(remove);
  const url = `${service().url}/mcp/${team.slug}`;

  const first = startRemote(url, folder);
  const pattern = /visiting:\s+(http\S+)/;
  await eventually('the page to sign in at', async () => pattern.test(first.said()), { withinMs: 60_000 });
  const authorize = new URL(pattern.exec(first.said())?.[1] ?? '');
  expect(authorize.origin + authorize.pathname).toBe(`${service().url}/oauth/authorize`);
  const session = await openSession(service(), { key: team.teamKey });
  const asked = { query: authorize.searchParams.toString() };
  expect((await ask(session, asked)).body.client).toMatchObject({ host: null, redirect_host: null });
  expect((await fetch((await decide(session, asked)).body.location)).status).toBe(200);
  await first.connected;
  const call = { name: 'search', arguments: { query: 'ferry' } };
  expect(JSON.stringify(await first.client.callTool(call))).toContain('nine');
  await first.client.close();

  const second = startRemote(url, folder);
  await second.connected;
  expect(JSON.stringify(await second.client.callTool(call))).toContain('nine');
  expect(second.said()).not.toMatch(pattern);
});
