import type { Socket } from 'node:net';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, onTestFinished, test } from 'vitest';
import { attackedService, besideBystanders } from '../support/attacks/attacked-service.ts';
import { browserRequest, sameOrigin } from '../support/http/browser-session.ts';
import { problem } from '../support/http/problem.ts';
import { connectTo } from '../support/http/slow-request.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';

const attacked = attackedService({ TRUSTED_PROXIES: '127.0.0.0/8' });
const longMs = 120_000;
/** As many as an address may have without a key, and some more. */
const slowConnections = 300;

/** Signs in over a connection of the proxy, for a client of this address. */
const signIn = (key: string, client: string) =>
  browserRequest(attacked().service, '/session', {
    body: { key },
    headers: { ...sameOrigin, 'x-forwarded-for': `192.0.2.99, ${client}` },
  });

test('a stranger who sends bodies slowly keeps nobody from signing in, and is cut after two seconds', {
  timeout: longMs,
}, async () => {
  const { service } = attacked();
  const team = await service.createTeam();
  const keys = await Promise.all(Array.from({ length: 10 }, () => team.newKey('team')));
  const head = [
    'POST /session HTTP/1.1',
    ...['host: service.test', 'sec-fetch-site: same-origin', 'content-type: application/json'],
    ...['x-forwarded-for: 2001:db8:0:1::5', 'transfer-encoding: chunked', '\r\n'],
  ].join('\r\n');
  const sockets: Socket[] = [];
  const answers: string[] = [];
  const trickle = setInterval(() => {
    for (const socket of sockets) socket.write('1\r\n \r\n');
  }, 200);
  onTestFinished(() => {
    clearInterval(trickle);
    for (const socket of sockets) socket.destroy();
  });
  await besideBystanders({ ...attacked(), name: 'slow sign-ins', boundMegabytes: 50 }, async () => {
    for (let n = 0; n < slowConnections; n += 1) {
      const socket = await connectTo(service);
      socket.on('error', () => undefined).on('data', (data: Buffer) => answers.push(data.toString('latin1')));
      socket.write(head);
      sockets.push(socket);
    }
    const statuses = await Promise.all(
      keys.map(async (key, n) => (await signIn(key, n < 5 ? '2001:db8:0:2::1' : '203.0.113.9')).status),
    );
    expect(statuses).toEqual(keys.map(() => 200));
    const cut = () =>
      answers.filter((answer) => /^HTTP\/1\.1 400 /.test(answer) && /too slowly/.test(answer));
    await eventually('they are cut', () => cut().length > 100);
  });
  const entries = await asAdministrator(service, async (admin) =>
    (await Array.fromAsync(admin.audit.list('auth', { team: team.slug }))).flat(),
  );
  const opened = entries.filter(({ action }) => action === 'session.open');
  expect(new Set(opened.map(({ client_address }) => client_address))).toEqual(
    new Set(['2001:db8:0:2::1', '203.0.113.9']),
  );
});

test('a guest key opens 60 sessions a minute, each of which lives, and no more; others go on signing in', {
  timeout: longMs,
}, async () => {
  const { service } = attacked();
  const team = await service.createTeam();
  await besideBystanders({ ...attacked(), name: 'a flood of sign-ins', boundMegabytes: 50 }, async () => {
    const first = await Promise.all(
      Array.from({ length: 48 }, async () => {
        const opened = await signIn(team.externalKey, '203.0.113.9');
        const cookie = opened.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
        const { body } = await browserRequest(service, '/session', { headers: { ...sameOrigin, cookie } });
        return [opened.status, body.session?.member];
      }),
    );
    expect(first).toEqual(first.map(() => [200, 'ada']));
    const rest = await Promise.all(
      Array.from({ length: 200 }, () => signIn(team.externalKey, '203.0.113.9')),
    );
    const [refused] = rest.filter(({ status }) => status === 429);
    expect(rest.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(12);
    expect(refused?.body).toMatchObject(problem('rate_limited'));
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    const { status, headers } = await browserRequest(service, '/session', {
      body: { key: team.teamKey },
      headers: { ...sameOrigin, 'x-request-id': team.teamKey },
    });
    expect([status, headers.get('x-request-id')]).toEqual([200, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });
});
