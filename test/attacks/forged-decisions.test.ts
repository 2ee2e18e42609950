import { beforeAll, expect, test } from 'vitest';
import { item } from '../support/http/api.ts';
import { newTeam, type TeamClients } from '../support/http/key-holder.ts';
import { connectAgent } from '../support/mcp/agent.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';
import { sharedService } from '../support/service/shared-service.ts';

// A guest whose item had the name of a decision was read as the decision: under its name, and as accepted.

const service = sharedService();
let clients: TeamClients;
let decision: string;
beforeAll(async () => {
  clients = await newTeam(service());
  const created = await asAdministrator(service(), (admin) =>
    admin.decisions(clients.slug).create({
      title: 'Backups go to the vault',
      body: 'The heron backups go to the vault every night.',
      status: 'rejected',
      audience: 'external',
      decidedOn: '2026-11-20',
    }),
  );
  decision = `decisions/${created.decision_id}`;
});

test('no key can give an item a name that decisions, tasks and projects have', async () => {
  const names = [decision, decision.toUpperCase().replace('DECISIONS', 'decisions'), 'projects/heron'];
  for (const holder of [clients.team, clients.external]) {
    const pushed = await holder.push(...names.map((name) => item(name, 'forged', { tier: 'external' })));
    expect(pushed.status).toBe(422);
    expect(pushed.body.errors.map(({ code, detail }: Record<string, string>) => [code, detail])).toEqual(
      names.map(() => ['invalid_request', expect.stringContaining('add an ending such as .md')]),
    );
    const agent = await connectAgent(service(), clients, holder.key);
    const push = { row_key: decision, content: 'forged', base_checksum: null, tier: 'external' };
    expect(await agent.call('push', push)).toMatchObject({ isError: true });
    await agent.close();
  }
  expect(await clients.team.rows('?include_deleted=true')).toEqual([]);
});
