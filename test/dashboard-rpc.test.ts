import { request as httpRequest } from 'node:http';
import { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { limitsOf } from '@teammemory/rpc/method-limits.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { startModelServer } from '@teammemory/testkit/model-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import {
  type BrowserSession,
  browserRequest,
  openSession,
  sameOrigin,
} from './support/http/browser-session.ts';
import { newTeam, type TeamClients } from './support/http/key-holder.ts';
import { sharedService } from './support/service/shared-service.ts';

const listItems = 'teammemory.content.v1.ContentService/ListItems';
const ask = 'teammemory.query.v1.QueryService/Ask';
const methods = [AnalyticsService, AuthService, ContentService, QueryService].flatMap((service) =>
  service.methods.map((method) => ({ name: `${service.typeName}/${method.name}`, method })),
);

const model = await startModelServer((reply) => reply.finish());
afterAll(() => model.stop());
const service = sharedService({
  environment: {
    OPENAI_API_KEY: 'sk-dashboard-rpc-0123456789',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: 'writer',
    MODEL_PRICES: '{"writer":{"input":1,"output":2}}',
  },
});

/** What would make a token, or a longer session, of a session. */
const notOffered = /\/(?:ExchangeCredential|CreateSignInLink)$/;

let team: TeamClients;
let session: BrowserSession;
beforeAll(async () => {
  team = await newTeam(service());
  await team.team.push(
    item('otter.md', 'The otter Bartholomew sleeps in the harbour.'),
    item('open.md', 'The otter eats fish.', { tier: 'external' }),
  );
  session = await openSession(service(), { key: team.teamKey });
});

/** The row keys of a page that ListItems answered. */
const rowKeys = ({ page }: { page: { rowsJson: string } }): string[] =>
  JSON.parse(Buffer.from(page.rowsJson, 'base64').toString()).map(
    ({ row_key }: { row_key: string }) => row_key,
  );

describe('an RPC of the dashboard', () => {
  test('answers as the service does, as who the session stands for', async () => {
    const { status, headers, body } = await session.rpc(listItems);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(rowKeys(body)).toEqual(['otter.md', 'open.md']);
  });

  test('shows a guest the rows of their tier only, and nothing of another team to anybody', async () => {
    const [guest, other] = [
      await openSession(service(), { key: team.externalKey }),
      await openSession(service(), { key: (await newTeam(service())).teamKey }),
    ];
    expect(rowKeys((await guest.rpc(listItems)).body)).toEqual(['open.md']);
    const { body } = await other.rpc(listItems);
    expect(rowKeys({ page: { rowsJson: Buffer.from('[]').toString('base64'), ...body.page } })).toEqual([]);
  });

  test('must exist, be called by POST, and say what it is written in', async () => {
    const headers = { ...sameOrigin, cookie: session.cookie };
    for (const path of [
      '/rpc/',
      '/rpc/x',
      `/rpc/${listItems}/x`,
      '/rpc/teammemory.content.v1.ContentService/No',
    ]) {
      expect([path, (await session.send(path, { body: {} })).status]).toEqual([path, 404]);
    }
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const { status } = await browserRequest(service(), `/rpc/${listItems}`, { method, headers });
      expect([method, status >= 404 && status <= 405]).toEqual([method, true]);
    }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const answer = await session.send(`/rpc/${listItems}`, { body: {}, headers: { 'content-type': type } });
      expect([type, answer.status]).toEqual([type, 415]);
    }
  });

  test('that turns keys into tokens is not offered: a session is not a way to a token', async () => {
    const { status, body } = await session.rpc('teammemory.auth.v1.AuthService/ExchangeCredential', {
      credential: team.teamKey,
      audience: 'content',
    });
    expect([status, JSON.stringify(body).includes('token')]).toEqual([404, false]);
  });

  test('that makes sign-in links is not offered, here and at the API: a session does not lengthen itself', async () => {
    expect((await session.rpc('teammemory.auth.v1.AuthService/CreateSignInLink')).status).toBe(404);
    const headers = { 'x-svc-team': team.slug };
    const { status } = await session.send('/api/v1/sign-in-links', { method: 'POST', headers });
    expect(status).toBe(401);
    expect((await team.team.call('/sign-in-links', { method: 'POST' })).status).toBe(201);
  });

  test('of the gateway alone is refused: what it writes is counted at the API', async () => {
    const gatewayOnly = methods.filter(({ method }) => limitsOf(method).gatewayOnly);
    expect(gatewayOnly.length).toBeGreaterThan(2);
    for (const { name } of gatewayOnly) {
      const { status, body } = await session.rpc(name);
      expect([name, status, body.code]).toEqual([name, 403, 'permission_denied']);
      // Nothing of its message is read: as one that is no JSON it would be another error.
      const unread = await session.send(`/rpc/${name}`, { body: Buffer.from('{ this is no message') });
      expect([name, unread.status]).toEqual([name, 403]);
    }
  });

  test('for administrators of the installation, or for its services, is refused to a member', async () => {
    const closed = [
      'CreateTeam',
      'ListTeams',
      'Authenticate',
      'OpenSession',
      'EndSession',
      'FindMember',
      'CreateServiceCredential',
      'ListServiceCredentials',
    ].map((name) => `teammemory.auth.v1.AuthService/${name}`);
    const feeds = ['ReadFeed', 'ReadHeads', 'ListFeeds'].map(
      (name) => `teammemory.content.v1.ContentService/${name}`,
    );
    for (const name of [...closed, ...feeds]) {
      const { status, body } = await session.rpc(name);
      expect([name, status, body.code]).toEqual([name, 403, 'permission_denied']);
    }
  });

  test('without a session is refused before its message is read, with every method', async () => {
    for (const { name, method } of methods) {
      if (notOffered.test(name) || method.methodKind !== 'unary') continue;
      const body = Buffer.from('{ this is no message');
      const { status } = await browserRequest(service(), `/rpc/${name}`, { body, headers: sameOrigin });
      expect([name, status]).toEqual([name, 401]);
    }
  });

  test('with a message that is too large is refused, declared or not', async () => {
    const message = { prefix: 'x'.repeat(20_000) };
    expect((await session.rpc(listItems, message)).status).toBe(429);
    const request = httpRequest(`${service().url}/rpc/${listItems}`, {
      method: 'POST',
      headers: {
        ...sameOrigin,
        cookie: session.cookie,
        'content-type': 'application/json',
        'transfer-encoding': 'chunked',
      },
    });
    const answered = new Promise<number>((resolve, reject) => {
      request.once('response', (response) => resolve(response.resume().statusCode ?? 0));
      request.once('error', reject);
    });
    request.end(JSON.stringify(message));
    expect(await answered).toBe(429);
  });

  test('is limited for each minute as its proto says, and other sessions go on', async () => {
    const method = 'teammemory.auth.v1.AuthService/GetTeam';
    const { memberCallsPerMinute } = limitsOf(AuthService.method.getTeam);
    const spending = await openSession(service(), { key: await team.newKey('team', { member: 'eve' }) });
    const statuses = new Map<number, number>();
    for (let call = 0; call < memberCallsPerMinute + 5; call += 1) {
      const { status } = await spending.rpc(method, { slug: team.slug });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(statuses.get(429)).toBeGreaterThan(0);
    expect((await session.rpc(listItems)).status).toBe(200);
  });
});

describe('a question of the dashboard', () => {
  /** Begins a question; resolves once the answer has begun. */
  function beginQuestion(question: string) {
    const json = Buffer.from(JSON.stringify({ question }));
    const envelope = Buffer.alloc(5);
    envelope.writeUInt32BE(json.length, 1);
    const request = httpRequest(`${service().url}/rpc/${ask}`, {
      method: 'POST',
      headers: {
        ...sameOrigin,
        cookie: session.cookie,
        'content-type': 'application/connect+json',
        'connect-protocol-version': '1',
      },
    });
    request.on('error', () => undefined);
    let received = '';
    request.on('response', (response) => {
      response.on('error', () => undefined);
      response.setEncoding('utf8').on('data', (text: string) => {
        received += text;
      });
    });
    request.end(Buffer.concat([envelope, json]));
    return { leave: () => request.destroy(), received: () => received };
  }

  test('comes piece by piece, as the model writes it', async () => {
    const finish = Promise.withResolvers<void>();
    model.script = async (reply) => {
      reply.text('In the harbour [', '1', '].');
      await finish.promise;
      reply.finish({ prompt_tokens: 100, completion_tokens: 9 });
    };
    const { received } = beginQuestion('Where does the otter Bartholomew sleep?');
    await eventually('the first words', () => received().includes('In the harbour'));
    expect(received()).not.toContain('otter.md');
    finish.resolve();
    await eventually('the sources', () => received().includes('otter.md'));
  });

  test('that is left is no longer worked on: the model is hung up on', async () => {
    const left = Promise.withResolvers<void>();
    model.script = async (reply) => {
      reply.text('In the harbour');
      await reply.closed;
      left.resolve();
    };
    const { leave, received } = beginQuestion('Where does Bartholomew the otter sleep at noon?');
    await eventually('the first words', () => received().includes('In the harbour'));
    leave();
    await left.promise;
  });
});
