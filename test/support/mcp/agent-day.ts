import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'vitest';
import { item } from '../http/api.ts';
import { type KeyHolder, keyHolder, newTeam, type TeamClients } from '../http/key-holder.ts';
import { asAdministrator } from '../service/as-administrator.ts';
import type { RunningService } from '../service/running-service.ts';
import { type Agent, agentOf, connectAgent } from './agent.ts';

const program = join(import.meta.dirname, '../../../libs/cli/src/main.ts');

export const itemPath = (rowKey: string) => `/items/${encodeURIComponent(rowKey)}`;

/** A memory of a harbour, and who works with it. */
export interface AgentDay {
  clients: TeamClients;
  /** The second client, at /api/v1. */
  bob: KeyHolder;
  /** Ada's agent at /mcp. */
  agent: Agent;
  /** Ada's agent through `tms mcp`. */
  local: Agent;
  /** A guest's agent at /mcp. */
  guest: Agent;
  decisionId: string;
  /** An item as bob gets it, or the status of the refusal. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer's body, as `Answer` has it
  seenByBob(rowKey: string): Promise<any>;
  /** Pushes an item for bob and returns its checksum. */
  pushedByBob(rowKey: string, content: string, changes?: Record<string, unknown>): Promise<string>;
  /** How programs find ada's memory. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

/** Fills a new memory and connects the agents. `home` is the directory in which `tms` runs. */
export async function beginDay(service: RunningService, home: string): Promise<AgentDay> {
  const clients = await newTeam(service);
  const bob = keyHolder(service, clients, await clients.newKey('team', { member: 'bob' }));
  await bob.push(...seeds);
  const { decision_id: decisionId } = await asAdministrator(service, (admin) =>
    admin.decisions(clients.slug).create({
      title: 'The ferry leaves at nine',
      body: 'Because of the tide.\n\n- [ ] Tell the pilots @bob\n- [ ] Print the table @bob\n',
      audience: 'team',
      status: 'accepted',
      project: 'harbour',
      decidedOn: '2026-11-20',
    }),
  );
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    TMS_URL: service.url,
    TMS_TEAM: clients.slug,
    TMS_KEY: clients.teamKey,
  };
  const agents = {
    agent: await connectAgent(service, clients, clients.teamKey),
    local: await connectLocally(home, environment),
    guest: await connectAgent(service, clients, clients.externalKey, { revision: '2025-11-25' }),
  };
  return {
    clients,
    bob,
    decisionId,
    async seenByBob(rowKey) {
      const { status, body } = await bob.call(itemPath(rowKey));
      return status === 200 ? body : status;
    },
    async pushedByBob(rowKey, content, changes = {}) {
      const pushed = item(rowKey, content, changes);
      expect(await bob.push(pushed)).toMatchObject({ status: 200, body: { accepted: 1 } });
      return pushed.checksum;
    },
    environment,
    ...agents,
    async close() {
      for (const each of Object.values(agents)) await each.close();
    },
  };
}

async function connectLocally(cwd: string, env: Record<string, string>): Promise<Agent> {
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  const args = [program, 'mcp'];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, cwd, env, stderr: 'ignore' }),
  );
  return agentOf(client);
}

const handbook = ['Mooring', 'Loading', 'Leaving']
  .map((heading) => `# ${heading}\n\n${`The ${heading} 🚢 is done with care.\n`.repeat(400)}`)
  .join('\n');

const seeds = [
  item('notes/ferry.md', '# Ferry\n\nThe ferry leaves at nine.\n', { frontmatter: { title: 'The ferry' } }),
  item('notes/old ferry.md', 'The old ferry left at eight.', { frontmatter: { date: '2020-02-03' } }),
  item('guests/mill.md', 'The mill grinds until the ferry leaves.', { tier: 'external' }),
  item('guides/handbook.md', handbook),
  item('notes/crane.md', 'The crane lifts ten tons.', { frontmatter: { review_by: '2024-03-01' } }),
  item(
    'projects/harbour/todo.md',
    '- [ ] Paint the ferry @ada due:2026-03-01\n- [ ] Oil the crane @bob due:2026-04-01\n- [x] Moor @ada\n',
  ),
];
