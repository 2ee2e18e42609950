// Exchanges a key, reads all items, asks a question and shows what an error carries. Connect over HTTP/2.
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, createClient, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { AuthService } from './gen/teammemory/auth/v1/auth_pb.ts';
import { ErrorDetailSchema } from './gen/teammemory/common/v1/error_pb.ts';
import { ContentService } from './gen/teammemory/content/v1/content_pb.ts';
import { QueryService } from './gen/teammemory/query/v1/query_pb.ts';

const baseUrl = process.env.TEAM_MEMORY_RPC_URL ?? 'http://127.0.0.1:7100';
const credential = process.env.TEAM_MEMORY_KEY ?? '';
// The deadline travels with every call.
const options = { baseUrl, httpVersion: '2', defaultTimeoutMs: 30_000 } as const;
const auth = createClient(AuthService, createConnectTransport(options));

/** Exchanges the key for a token of a service, and keeps it until shortly before it expires. */
function authorize(audience: string): Interceptor {
  let kept: { token: string; untilMs: number } | undefined;
  return (next) => async (request) => {
    if (kept === undefined || kept.untilMs < Date.now()) {
      const { token, expiresAt } = await auth.exchangeCredential({ credential, audience });
      const endsMs = expiresAt === undefined ? 0 : timestampMs(expiresAt);
      kept = { token, untilMs: endsMs - 10_000 };
    }
    request.header.set('authorization', `Bearer ${kept.token}`);
    return next(request);
  };
}

const transportFor = (audience: string) =>
  createConnectTransport({ ...options, interceptors: [authorize(audience)] });
const content = createClient(ContentService, transportFor('content'));
const query = createClient(QueryService, transportFor('query'));

for (let cursor = '', hasMore = true; hasMore; ) {
  const { page, items } = await content.listItems({ page: { cursor, limit: 2 }, summary: true, typed: true });
  if (page === undefined) break;
  for (const { rowKey } of items) console.log('item', rowKey);
  ({ nextCursor: cursor, hasMore } = page);
}

for await (const { part } of query.ask({ question: 'Which day is the release?' })) {
  if (part.case === 'delta') console.log('text', part.value.text);
  if (part.case === 'sources') for (const { rowKey } of part.value.sources) console.log('source', rowKey);
}

try {
  await content.getItem({ rowKey: 'no/such.md' });
} catch (thrown) {
  const error = ConnectError.from(thrown);
  for (const { code } of error.findDetails(ErrorDetailSchema)) {
    console.log('error', error.code === Code.NotFound ? 'not_found' : error.code, code);
  }
}
