import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { scan, snapshot } from '../analytics/valid-bodies.ts';
import { checkConformance } from '../openapi/conformance.ts';
import type { RunningService } from '../service/running-service.ts';
import { type Answer, item } from './api.ts';
import { answerText } from './events.ts';
import { faults, type Request, type RequestFault, type Teams } from './request-fault.ts';

/** A store that cannot be reached is given up after 10 s. */
const answerTimeoutMs = 30_000;

/** A route with a good request, and all that can be wrong with it. */
export interface Route {
  /** Its operationId in the API's document. */
  operation: string;
  method: string;
  /** As the API's document writes it, parameters in braces. */
  path: string;
  /** Path of the good request. `{task_id}`, `{decision_id}` and the like stand for those of a team. */
  example: string;
  body?: object;
  /** Of the answer to the good request. */
  status: number;
  /** Begin of the good answer's media type; empty where it has no body. */
  contentType: string;
  /** In the order in which they are told. */
  faults: readonly RequestFault[];
  /** Name of the limit of which the answers tell; only with `RateLimit` headers. */
  limit?: string;
  /** The statuses it can answer when something behind it fails. */
  failures: readonly number[];
  /** Those of the statuses that only a fault of auth gives, which no test provokes: every route would have it. */
  failuresOfAuth?: readonly number[];
  /** Those that it answers only while its process stops. */
  whileStopping?: readonly number[];
}

const { key, team, method, tier, access, size, encoding, mediaType, json, schema, parameter, cursor } =
  faults;
const bodyFaults = [size, encoding, mediaType, json, schema];
const jsonType = 'application/json';

const read = (operation: string, name: string, ...more: RequestFault[]): Route => ({
  operation,
  method: 'GET',
  path: `/api/v1/${name}`,
  example: `/api/v1/${name}`,
  status: 200,
  contentType: jsonType,
  faults: [key, team, method, ...more],
  failures: [500, 503],
});

const list = (operation: string, name: string) => read(operation, name, size, encoding, parameter, cursor);

const write = (operation: string, name: string, body: object, more: Partial<Route>): Route => ({
  ...read(operation, name),
  method: 'POST',
  body,
  ...more,
});

const open = (operation: string, path: string, contentType: string, more: Partial<Route> = {}): Route => ({
  operation,
  method: 'GET',
  path,
  example: path,
  status: 200,
  contentType,
  faults: [method],
  failures: [],
  ...more,
});

/** Those that need a proposal; each has its own. */
function proposalRoutes(): Route[] {
  const path = 'proposals/{proposal_id}';
  const { decision, absentRow, decided } = faults;
  const reviewer = [
    key,
    team,
    method,
    tier,
    access,
    size,
    encoding,
    mediaType,
    json,
    decision,
    absentRow,
    decided,
  ];
  return [
    // Before it is withdrawn.
    { ...read('getProposal', path, size, encoding, absentRow), example: '/api/v1/proposals/{withdraw}' },
    {
      ...read('withdrawProposal', path, access, size, encoding, absentRow, decided),
      method: 'DELETE',
      example: '/api/v1/proposals/{withdraw}',
      status: 204,
      contentType: '',
    },
    write(
      'acceptProposal',
      `${path}/accept`,
      {},
      {
        example: '/api/v1/proposals/{accept}/accept',
        faults: reviewer,
      },
    ),
    write(
      'declineProposal',
      `${path}/decline`,
      { reason: 'No.' },
      {
        example: '/api/v1/proposals/{decline}/decline',
        faults: reviewer,
      },
    ),
  ];
}

/** Every route of the service. */
export const routes: readonly Route[] = [
  write(
    'pushItems',
    'items',
    { items: [item('a.md')] },
    {
      faults: [key, team, method, access, ...bodyFaults, faults.privateItem, faults.limit],
      limit: 'item-writes',
    },
  ),
  list('listItems', 'items'),
  // Before its item is removed, as its task.
  {
    ...read('getItem', 'items/{row_key}', size, encoding, faults.absentItem),
    example: '/api/v1/items/b.md',
  },
  {
    ...read(
      'listItemVersions',
      'items/{row_key}/versions',
      ...[size, encoding, parameter, cursor, faults.absentItem],
    ),
    example: '/api/v1/items/b.md/versions',
  },
  {
    ...read('getItemVersion', 'items/{row_key}/versions/{revision}', size, encoding, faults.absentItem),
    example: '/api/v1/items/b.md/versions/1',
  },
  read('getTask', 'tasks/{task_id}', size, encoding, faults.absentRow),
  {
    ...read(
      'deleteItem',
      'items/{row_key}',
      ...[access, size, encoding, faults.baseChecksum, faults.absentItem, faults.otherVersion],
    ),
    method: 'DELETE',
    example: '/api/v1/items/b.md',
    status: 204,
    contentType: '',
  },
  read('listProposals', 'proposals', size, encoding, parameter, cursor),
  ...proposalRoutes(),
  list('listTasks', 'tasks'),
  list('listDecisions', 'decisions'),
  read('getDecision', 'decisions/{decision_id}', size, encoding, faults.absentRow),
  { ...read('followChanges', 'events', size, encoding), contentType: 'text/event-stream' },
  read('listProjects', 'projects', tier, size, encoding),
  write(
    'askQuestion',
    'query',
    { q: 'what?' },
    {
      contentType: 'text/event-stream',
      faults: [key, team, method, ...bodyFaults, faults.limit, faults.cap],
      limit: 'questions',
    },
  ),
  {
    ...read('searchPassages', 'search', size, encoding, parameter, faults.limit),
    example: '/api/v1/search?q=what',
    limit: 'searches',
  },
  write('pushScan', 'codebases', scan(), {
    faults: [key, team, method, tier, access, ...bodyFaults, faults.limit],
    limit: 'scans',
  }),
  read('listCodebases', 'codebases', tier, size, encoding, parameter, cursor),
  {
    ...read(
      'listScans',
      'codebases/{slug}/scans',
      ...[tier, size, encoding, parameter, cursor, faults.absentCodebase],
    ),
    example: '/api/v1/codebases/api/scans',
  },
  read('getRollup', 'rollup', tier, size, encoding, faults.weeks),
  write('pushSnapshot', 'metrics', snapshot(), {
    faults: [key, team, method, tier, access, ...bodyFaults, faults.member, faults.limit],
    limit: 'snapshots',
  }),
  { ...read('describeKey', 'whoami', size, encoding), failures: [503], failuresOfAuth: [500] },
  {
    ...read('createSignInLink', 'sign-in-links', size, encoding, faults.limit),
    method: 'POST',
    status: 201,
    limit: 'sign-in-links',
    failures: [503],
    failuresOfAuth: [500],
  },
  open('readOpenApi', '/api/v1/openapi.json', jsonType),
  open('readHealth', '/healthz', jsonType),
  open('readLiveness', '/livez', jsonType, { whileStopping: [503] }),
  open('readReadiness', '/readyz', jsonType, { failures: [503] }),
  open('showDocs', '/docs', 'text/html'),
  open('showProblem', '/problems/{code}', 'text/html', {
    example: '/problems/internal',
    faults: [method, faults.absentPage],
  }),
];

/** Sends the good request of a route with faults, which are in the order in which they are told. */
export async function sendSpoiled(
  service: Pick<RunningService, 'url'>,
  route: Route,
  wrong: readonly RequestFault[],
  teams: Teams,
): Promise<Answer> {
  const { mine } = teams;
  const request: Request = {
    owner: mine,
    key: mine.teamKey,
    team: mine.slug,
    method: route.method,
    path: examplePath(route, mine),
    headers: route.body === undefined ? {} : { 'content-type': jsonType },
    body: route.body === undefined ? '' : JSON.stringify(route.body),
  };
  for (const { spoil } of wrong.toReversed()) spoil(request, teams);
  return send(service.url, request);
}

function examplePath({ example }: Route, { taskId, decisionId, proposalIds }: Teams['mine']): string {
  const [accept = '', decline = '', withdraw = ''] = proposalIds;
  const ids: Record<string, string> = {
    task_id: taskId,
    decision_id: decisionId,
    accept,
    decline,
    withdraw,
  };
  return example.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? '');
}

/** Sends what `fetch` would not: a body with any method. */
async function send(url: string, { key, team, method, path, headers, body }: Request): Promise<Answer> {
  const request = httpRequest(url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'x-svc-team': team,
      'content-length': Buffer.byteLength(body),
      ...headers,
    },
    signal: AbortSignal.timeout(answerTimeoutMs),
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const answered = {
    status: response.statusCode ?? 0,
    headers: new Headers(response.headers as Record<string, string>),
  };
  const content = await answerText(response, { method, path, status: answered.status });
  checkConformance({ method, path, text: content, ...answered });
  const isJson = content !== '' && /json/.test(answered.headers.get('content-type') ?? '');
  return { ...answered, body: isJson ? JSON.parse(content) : content };
}
