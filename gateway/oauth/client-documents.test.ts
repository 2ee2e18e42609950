import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createClientDocuments } from './client-documents.ts';

const [minuteMs, dayMs] = [60_000, 24 * 60 * 60_000];
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server of documents, and a finder whose time the test sets. */
async function start(listener: RequestListener, allowedAddresses = ['127.0.0.1']) {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const time = { now: 0 };
  const documents = createClientDocuments({ allowedAddresses, monotonicClock: () => time.now });
  return { documents, time, clientId: `${origin}/client.json`, origin };
}

const documentOf = (clientId: string, fields: object = {}) =>
  JSON.stringify({
    client_id: clientId,
    client_name: 'App',
    redirect_uris: ['http://localhost/'],
    ...fields,
  });
const json = { 'content-type': 'application/json' };
const refused = { code: 'invalid_request' };

test('a document is fetched once for all who want it, and again when it is old', async () => {
  let fetched = 0;
  const { documents, time, clientId } = await start((request, response) => {
    fetched += 1;
    const self = `http://${request.headers.host}${request.url}`;
    response.writeHead(200, { ...json, 'cache-control': 'max-age=600' }).end(documentOf(self));
  });
  const found = await Promise.all(Array.from({ length: 20 }, () => documents.find(clientId)));
  expect(found[0]).toMatchObject({ clientId, name: 'App', redirectUris: ['http://localhost/'] });
  expect(fetched).toBe(1);
  time.now = 10 * minuteMs - 1;
  await documents.find(clientId);
  expect(fetched).toBe(1);
  time.now += 1;
  await documents.find(clientId);
  expect(fetched).toBe(2);
});

test('a document is kept for five minutes whatever its server says, and used for seven days while that is away', async () => {
  let isThere = true;
  let fetched = 0;
  const { documents, time, clientId } = await start((request, response) => {
    fetched += 1;
    if (!isThere) return response.writeHead(503).end();
    const self = `http://${request.headers.host}${request.url}`;
    return response.writeHead(200, { ...json, 'cache-control': 'no-store' }).end(documentOf(self));
  });
  await documents.find(clientId);
  isThere = false;
  time.now = 5 * minuteMs - 1;
  await documents.find(clientId);
  expect(fetched).toBe(1);
  time.now = 7 * dayMs - 1;
  expect((await documents.find(clientId)).clientId).toBe(clientId);
  expect(fetched).toBe(2);
  time.now = 7 * dayMs;
  await expect(documents.find(clientId)).rejects.toMatchObject(refused);
});

test('a document is used for as long as its server is away, whatever that means', async () => {
  const away: RequestListener[] = [
    (_request, response) => response.writeHead(500).end(),
    (_request, response) => response.writeHead(429).end(),
    (request) => request.socket.destroy(),
    (_request, response) => {
      response.writeHead(200, json).write('{');
      response.destroy();
    },
  ];
  for (const listener of away) {
    const { documents, time, clientId } = await startThen(listener);
    await documents.find(clientId);
    time.now = dayMs;
    expect((await documents.find(clientId)).clientId).toBe(clientId);
  }
});

/** As `start`, with a server that has the document once, and then answers with `listener`. */
function startThen(listener: RequestListener) {
  let fetched = 0;
  return start((request, response) => {
    fetched += 1;
    if (fetched > 1) return listener(request, response);
    const self = `http://${request.headers.host}${request.url}`;
    return response.writeHead(200, json).end(documentOf(self));
  });
}

const answers: Record<string, RequestListener> = {
  'status 404': (_request, response) => response.writeHead(404, json).end('{}'),
  'status 410': (_request, response) => response.writeHead(410, json).end('{}'),
  'a name that turns the writing around': (request, response) => {
    const self = `http://${request.headers.host}${request.url}`;
    response.writeHead(200, json).end(documentOf(self, { client_name: 'A\u202Egro.elpmaxe' }));
  },
  'a name of several lines': (request, response) => {
    const self = `http://${request.headers.host}${request.url}`;
    response.writeHead(200, json).end(documentOf(self, { client_name: 'App.\nChecked.' }));
  },
  'a document of another client': (_request, response) =>
    response.writeHead(200, json).end(documentOf('https://app.example/client.json')),
  'a redirect': (_request, response) => response.writeHead(302, { location: '/other.json' }).end(),
  'more than 5 KB': (request, response) => {
    const self = `http://${request.headers.host}${request.url}`;
    response.writeHead(200, json).end(documentOf(self, { more: 'x'.repeat(5 * 1024) }));
  },
  'another type': (request, response) => {
    const self = `http://${request.headers.host}${request.url}`;
    response.writeHead(200, { 'content-type': 'text/html' }).end(documentOf(self));
  },
  'a client with a secret': (request, response) => {
    const self = `http://${request.headers.host}${request.url}`;
    const fields = { token_endpoint_auth_method: 'client_secret_basic' };
    response.writeHead(200, json).end(documentOf(self, fields));
  },
  'no addresses': (request, response) => {
    const self = `http://${request.headers.host}${request.url}`;
    response.writeHead(200, json).end(documentOf(self, { redirect_uris: [] }));
  },
  'no JSON': (_request, response) => response.writeHead(200, json).end('{'),
};

test.each(Object.keys(answers))('%s is refused', async (name) => {
  const { documents, clientId } = await start(answers[name] as RequestListener);
  await expect(documents.find(clientId)).rejects.toMatchObject(refused);
});

test.each(Object.keys(answers))('%s ends the document that was fetched before', async (name) => {
  let isAway = false;
  const { documents, time, clientId } = await startThen((request, response) => {
    if (isAway) return response.writeHead(503).end();
    return answers[name]?.(request, response);
  });
  await documents.find(clientId);
  time.now = dayMs;
  await expect(documents.find(clientId)).rejects.toMatchObject(refused);
  isAway = true;
  await expect(documents.find(clientId)).rejects.toMatchObject(refused);
});

test('no address of this machine or network is called, however it is written', async () => {
  let fetched = 0;
  const { documents, clientId, origin } = await start((_request, response) => {
    fetched += 1;
    response.writeHead(404).end();
  }, []);
  const port = new URL(origin).port;
  const ids = [
    ...[clientId, `https://127.0.0.1:${port}/c`, `https://localhost:${port}/c`, `https://[::1]:${port}/c`],
    ...['https://169.254.169.254/latest', 'https://10.0.0.1/c', `https://0x7f.1:${port}/c`],
  ];
  for (const id of ids) await expect(documents.find(id), id).rejects.toMatchObject(refused);
  expect(fetched).toBe(0);
});

test.each([
  '',
  'app',
  'https://app.example',
  'https://app.example/',
  'https://app.example/c#part',
  'https://user:password@app.example/c',
  'https://app.example/a/../c',
  'https://APP.example/c',
  `https://app.example/${'c'.repeat(512)}`,
  'ftp://app.example/c',
])('the client id "%s" is no address of a document', async (clientId) => {
  const documents = createClientDocuments({ allowedAddresses: [], monotonicClock: () => 0 });
  await expect(documents.find(clientId)).rejects.toMatchObject(refused);
});
