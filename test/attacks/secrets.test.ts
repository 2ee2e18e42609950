import { expect, test } from 'vitest';
import { attackedService, besideBystanders } from '../support/attacks/attacked-service.ts';
import { item } from '../support/http/api.ts';
import { newTeam } from '../support/http/key-holder.ts';
import { connectAgent } from '../support/mcp/agent.ts';
import { rpcCall } from '../support/rpc/rpc-call.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';

const attacked = attackedService({ LOG_LEVEL: 'debug' });

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => 'stored',
    ({ code, message }: { code?: string; message?: string }) => `${code} ${message}`,
  );

test('a key in a text gets in by no door, and stands in no answer, log, audit log or metric', {
  timeout: 120_000,
}, async () => {
  const { service } = attacked();
  const clients = await newTeam(service);
  const { slug, team, external } = clients;
  // A key that works: of another team, so that nothing else here says it.
  const { teamKey: secret } = await service.createTeam();
  const half = Math.ceil(secret.length / 2);
  const answers: unknown[] = [];

  const hidden = {
    content: item('content.md', `# Deploying\n\nUse ${secret} for it.\n`),
    'the end of a megabyte': item('long.md', `${'word '.repeat(200_000)}\n${secret}`),
    frontmatter: item('a.md', 'x', { frontmatter: { deep: { list: [`key ${secret}`] } } }),
    'a name in front matter': item('b.md', 'x', { frontmatter: { [secret]: true } }),
    'front matter as text': item('c.md', 'x', { frontmatter_text: `key: ${secret}\n` }),
    'front matter that allows it as text only': item('d.md', secret, {
      frontmatter_text: 'tms: allow-secret\n',
    }),
    'front matter that allows it in the content': item('e.md', `---\ntms: allow-secret\n---\n${secret}`),
    'a title': item('f.md', `# ${secret}\n`),
    'a name': item(`notes/${secret}.md`, 'x'),
  };
  for (const holder of [team, external]) {
    const items = Object.values(hidden).map((one) => ({ ...one, tier: 'external' }));
    const { status, body } = await holder.push(...items, item('good.md', '# Good\n', { tier: 'external' }));
    answers.push(body);
    expect([status, body.accepted, body.rejected]).toEqual([200, 1, items.length]);
    expect(body.errors.map(({ code }: { code: string }) => code)).toEqual(items.map(() => 'contains_secret'));
    expect(body.errors[0].detail).toBe('In content line 3 has a credential of this service.');
    expect(body.errors.at(-1).row_key).toBe('');
  }
  const alone = await team.push(hidden.content);
  answers.push(alone.body);
  expect([alone.status, alone.body.code, alone.body.rejected]).toEqual([422, 'invalid_request', 1]);

  const agent = await connectAgent(service, clients, team.key);
  const pushed = await agent.call('push', { row_key: 'g.md', content: `a\n${secret}`, base_checksum: null });
  answers.push(pushed);
  expect([pushed.isError, pushed.text]).toEqual([true, expect.stringContaining('line 2 has a credential')]);
  await agent.close();

  await asAdministrator(service, async (admin) => {
    const decisions = admin.decisions(slug);
    const fields = { title: 'A', body: 'b', status: 'accepted', audience: 'team' } as const;
    const { decision_id: id } = await decisions.create(fields);
    const refused = await Promise.all(
      [
        decisions.create({ ...fields, body: secret }),
        decisions.create({ ...fields, title: secret }),
        decisions.edit(id, { body: `b\n${secret}` }),
        admin.projects(slug).create({ slug: 'p', name: secret }),
        admin
          .projects(slug)
          .create({ slug: 'q', name: 'Q' })
          .then(() => admin.projects(slug).rename({ slug: 'q', name: secret })),
      ].map(refusalOf),
    );
    answers.push(refused);
    expect(refused.map((text) => text.split(' ')[0])).toEqual(refused.map(() => 'contains_secret'));
  });

  const kept = await team.rows('?include_deleted=true');
  expect(kept.map(({ row_key }) => row_key)).toEqual(['good.md']);
  const audit = await Promise.all(
    ['auth.v1.AuthService', 'content.v1.ContentService'].map((part) =>
      rpcCall({
        rpcUrl: service.rpcUrl,
        protocol: 'connect',
        method: `teammemory.${part}/ListAuditEntries`,
        message: {},
        authorization: `Bearer ${service.adminToken}`,
      }),
    ),
  );
  const refusals = await rpcCall({
    rpcUrl: service.rpcUrl,
    protocol: 'connect',
    method: 'teammemory.auth.v1.AuthService/ListRefusals',
    message: { teamSlug: slug },
    authorization: `Bearer ${service.adminToken}`,
  });
  const metrics = await (await fetch(`${service.metricsUrl}/metrics`)).text();
  const { stdout, stderr } = service.output();
  expect(audit.map(({ code }) => code)).toEqual(['ok', 'ok']);
  const told = JSON.stringify([answers, kept, audit, refusals, metrics, stdout, stderr]);
  for (const part of [secret.slice(-half), secret.slice(-20)]) expect(told).not.toContain(part);
});

test('front matter lets a text through, and what is encoded or split is not found', async () => {
  const { service } = attacked();
  const { team } = await newTeam(service);
  const { teamKey: secret } = await service.createTeam();
  const let_through = { frontmatter: { tms: 'allow-secret' } };
  const { status, body } = await team.push(
    item('allowed.md', secret, let_through),
    item('base64.md', Buffer.from(secret).toString('base64')),
    item('hex.md', Buffer.from(secret).toString('hex')),
    item('reversed.md', [...secret].toReversed().join('')),
    item('split.md', `${secret.slice(0, 30)}\n${secret.slice(30)}`),
    item('parts.md', secret.slice(30), { frontmatter: { first: secret.slice(0, 30) } }),
  );
  expect([status, body.accepted]).toEqual([200, 6]);
});

test('a key that is stored already can be edited around and hidden, and a guest learns nothing by guessing it', async () => {
  const { service } = attacked();
  const { team, external } = await newTeam(service);
  const [{ teamKey: secret }, { teamKey: other }] = [await service.createTeam(), await service.createTeam()];
  const shown = { tier: 'external' };
  await team.push(item('a.md', secret, { ...shown, frontmatter: { tms: 'allow-secret' } }));
  const codesOf = async (holder: typeof team, ...items: object[]) => {
    const { body } = await holder.push(...items, item('good.md', 'x', shown));
    return body.errors.map(({ code }: { code: string }) => code);
  };
  expect(await codesOf(team, item('a.md', `# Edited\n${secret}`, shown))).toEqual([]);
  expect(await codesOf(team, item('a.md', `${secret}\n${other}`, shown))).toEqual(['contains_secret']);
  expect(await codesOf(team, item('a.md', `# Edited\n${secret}`))).toEqual([]);
  expect((await team.call('/items/a.md')).body).toMatchObject({ tier: 'team' });
  expect(await codesOf(team, item('a.md', `# Edited\n${secret}`, shown))).toEqual(['contains_secret']);
  const guesses = [secret, other].flatMap((guess) => [
    item('a.md', `# Guessed\n${guess}`, shown),
    item('absent.md', `# Guessed\n${guess}`, shown),
  ]);
  const { body } = await external.push(...guesses, item('mine.md', 'x', shown));
  const told = body.errors.map(({ code, detail }: { code: string; detail: string }) => `${code} ${detail}`);
  expect([told.length, new Set(told).size]).toEqual([4, 1]);
});

test('texts that are prepared to be slow to scan hold up nobody', { timeout: 120_000 }, async () => {
  const { service, other } = attacked();
  const { team } = await newTeam(service);
  const units = [
    'token=Ab1.',
    'token: a1B!x%q9',
    'eyJhbGciOiJIUzI1NiJ9.',
    '://a:b@',
    'tms_',
    '-----BEGIN PRIVATE KEY-----',
  ];
  await besideBystanders(
    { service, other, name: 'texts that are slow to scan', boundMegabytes: 200 },
    async () => {
      for (const [index, unit] of units.entries()) {
        const content = unit.repeat(Math.floor(1_000_000 / unit.length));
        const { status } = await team.push(item(`${index}.md`, content));
        expect([unit, status < 500]).toEqual([unit, true]);
      }
    },
  );
});
