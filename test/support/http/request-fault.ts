import { scan, snapshot } from '../analytics/valid-bodies.ts';
import { asAdministrator } from '../service/as-administrator.ts';
import type { RunningService, Team } from '../service/running-service.ts';
import { api, item } from './api.ts';

/** The settings under which every fault below is one. */
export const faultySettings = {
  MAX_BODY_BYTES: '4096',
  ITEM_WRITES_PER_MINUTE: '1',
  // Questions that a cap refuses are counted too, so there are some for them.
  QUESTIONS_PER_MINUTE: '4',
  SEARCHES_PER_MINUTE: '1',
  SCANS_PER_MINUTE: '1',
  SNAPSHOTS_PER_MINUTE: '1',
  // A model that may cost nothing is never called.
  OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  OPENAI_MODEL: 'costly',
  MODEL_PRICES: '{"costly":{"input":1,"output":1}}',
  DAILY_MEMBER_CAP_USD: '0',
  DAILY_TEAM_CAP_USD: '0',
};

/** Sign-in links of a key in any 60 seconds. */
const signInLinksPerMinute = 10;

/** A request in parts, for faults to change. */
export interface Request {
  /** Whose keys are used. */
  owner: Team;
  key: string;
  /** What X-Svc-Team says. */
  team: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Empty for none. */
  body: string;
}

/** The teams that requests are about. */
export interface Teams {
  /** Has the item `b.md`, a task in it, a decision, proposals, and every write of its team key left. */
  mine: Team & { taskId: string; decisionId: string; proposalIds: string[] };
  other: Team;
  /** Its team key has no writes, no questions, no searches and no sign-in links left. Of its proposals one is declined. */
  usedUp: Team & { proposalIds: string[] };
  /** It knows when the ferry leaves. */
  curious: Team;
}

/** One thing wrong with a request, and the answer that it gets alone. */
export interface RequestFault {
  name: string;
  status: number;
  code: string;
  /** Changes a request that may have faults already which are told after this one. */
  spoil(request: Request, teams: Teams): void;
}

const fault = (name: string, status: number, code: string, spoil: RequestFault['spoil']): RequestFault => ({
  name,
  status,
  code,
  spoil,
});

const withParameter = (path: string, parameter: string) =>
  `${path}${path.includes('?') ? '&' : '?'}${parameter}`;

const withProposal = (path: string, id = '') => path.replace(/(?<=\/proposals\/)[^/?]+/, id);

function ofTeam(request: Request, team: Team): void {
  request.owner = team;
  request.key = team.teamKey;
  request.team = team.slug;
}

/** Everything that can be wrong with a request, in the order of checks of docs/contract.md, "Errors". */
export const faults = {
  key: fault('a bad key', 401, 'invalid_key', (request) => {
    request.key = `${request.key.slice(0, -1)}!`;
  }),
  team: fault('a foreign team', 403, 'team_forbidden', (request, { other }) => {
    request.team = other.slug;
  }),
  path: fault('an unknown path', 404, 'not_found', (request) => {
    request.path = '/api/v1/nothing';
  }),
  method: fault('a wrong method', 405, 'method_not_allowed', (request) => {
    request.method = 'PUT';
  }),
  tier: fault('an external key', 403, 'forbidden_tier', (request) => {
    request.key = request.owner.externalKey;
  }),
  access: fault('a key that only reads', 403, 'forbidden_access', (request) => {
    request.key = request.owner.readKey;
  }),
  size: fault('a large body', 413, 'payload_too_large', (request) => {
    request.body = request.body.padEnd(Number(faultySettings.MAX_BODY_BYTES) + 1);
  }),
  mediaType: fault('a foreign media type', 415, 'unsupported_media_type', (request) => {
    request.headers['content-type'] = 'text/plain';
  }),
  encoding: fault('a body of another encoding', 415, 'unsupported_media_type', (request) => {
    request.headers['content-encoding'] = 'br';
  }),
  json: fault('broken JSON', 400, 'invalid_json', (request) => {
    request.body = request.body.replace(/\S+/, '{');
  }),
  schema: fault('a body of another schema', 422, 'invalid_request', (request) => {
    request.body = '{"items":[],"q":""}';
  }),
  parameter: fault('a bad parameter', 422, 'invalid_request', (request) => {
    request.path = withParameter(request.path, 'limit=0');
  }),
  cursor: fault('a cursor of nobody', 422, 'invalid_cursor', (request) => {
    request.path = withParameter(request.path, 'cursor=abc');
  }),
  privateItem: fault('a private item', 422, 'admin_tier', (request) => {
    request.body = JSON.stringify({ items: [item('private.md', 'p', { tier: 'admin' })] });
  }),
  member: fault('a member of nobody', 422, 'unknown_member', (request) => {
    request.body = JSON.stringify(snapshot({ member: 'nobody' }));
  }),
  limit: fault('a used-up limit', 429, 'rate_limited', (request, { usedUp }) => {
    ofTeam(request, usedUp);
  }),
  cap: fault('a used-up cap', 429, 'daily_cap_exceeded', (request, { curious }) => {
    ofTeam(request, curious);
    request.body = JSON.stringify({ q: 'When does the ferry leave?' });
  }),
  baseChecksum: fault('a bad base_checksum', 422, 'invalid_request', (request) => {
    request.path = withParameter(request.path, 'base_checksum=x');
  }),
  otherVersion: fault('another version than is stored', 409, 'conflict', (request, { usedUp }) => {
    // Not the item of the good request, which is gone after it.
    ofTeam(request, usedUp);
    request.path = withParameter('/api/v1/items/used-up.md', `base_checksum=sha256:${'0'.repeat(64)}`);
  }),
  absentItem: fault('an item that is not there', 404, 'not_found', (request) => {
    request.path = request.path.replace(/(?<=\/items\/)[^/?]+/, 'absent.md');
  }),
  absentRow: fault('the id of no row', 404, 'not_found', (request) => {
    request.path = request.path.replace(
      /(?<=\/(?:tasks|decisions|proposals)\/)[^/?]+/,
      '019a9f0e-7d51-7c3a-9a51-6b0c4b8f2d11',
    );
  }),
  decision: fault('a decision of another schema', 422, 'invalid_request', (request) => {
    request.body = '{"item":1,"reason":""}';
  }),
  decided: fault('a proposal that is decided', 409, 'conflict', (request, { usedUp }) => {
    ofTeam(request, usedUp);
    request.path = withProposal(request.path, usedUp.proposalIds[1]);
  }),
  absentCodebase: fault('a codebase that is not there', 404, 'not_found', (request) => {
    request.path = request.path.replace(/(?<=\/codebases\/)[^/?]+/, 'absent');
  }),
  weeks: fault('too many weeks', 422, 'invalid_request', (request) => {
    request.path = withParameter(request.path, 'weeks=54');
  }),
  absentPage: fault('a code that does not exist', 404, 'not_found', (request) => {
    request.path = '/problems/none';
  }),
} as const;

/** Makes the teams that faults need, on a service with `faultySettings`. */
export async function teamsForFaults(service: RunningService): Promise<Teams> {
  const [mine, other, usedUp, curious] = await Promise.all([
    service.createTeam(),
    service.createTeam(),
    service.createTeam(),
    service.createTeam(),
  ]);
  const push = async (team: Team, key: string, path: string, body: object) => {
    const { status } = await api(service, team, key, `/api/v1/${path}`, { body });
    if (status !== 200) throw new Error(`POST /${path} answered ${status}`);
  };
  const log = { tier: 'external', frontmatter: { type: 'task-log' } };
  await push(mine, mine.externalKey, 'items', { items: [item('b.md', '- [ ] b', log)] });
  // With a key of its own: the limit of the other one is for the good request.
  const scanner = await asAdministrator(service, (admin) =>
    admin.createKey({ team: mine.slug, member: 'ada', tier: 'team' }),
  );
  await push(mine, scanner.key, 'codebases', scan());
  const { body } = await api(service, mine, mine.teamKey, '/api/v1/tasks', {});
  const decision = await asAdministrator(service, (admin) =>
    admin.decisions(mine.slug).create({ title: 'b', body: 'b', audience: 'team' }),
  );
  await push(usedUp, usedUp.teamKey, 'items', { items: [item('used-up.md')] });
  for (let asked = 0; asked < Number(faultySettings.QUESTIONS_PER_MINUTE); asked += 1) {
    await push(usedUp, usedUp.teamKey, 'query', { q: 'what?' });
  }
  const searched = await api(service, usedUp, usedUp.teamKey, '/api/v1/search?q=what');
  if (searched.status !== 200) throw new Error(`GET /search answered ${searched.status}`);
  for (let made = 0; made < signInLinksPerMinute; made += 1) {
    const linked = await api(service, usedUp, usedUp.teamKey, '/api/v1/sign-in-links', { method: 'POST' });
    if (linked.status !== 201) throw new Error(`POST /sign-in-links answered ${linked.status}`);
  }
  await push(curious, curious.teamKey, 'items', { items: [item('ferry.md', 'The ferry leaves at nine.')] });
  await push(usedUp, usedUp.teamKey, 'codebases', scan());
  await push(usedUp, usedUp.teamKey, 'metrics', snapshot());
  const [taskId, decisionId] = [body.tasks[0].task_id, decision.decision_id];
  const [ofMine, ofUsedUp] = [await propose(service, mine), await propose(service, usedUp)];
  const reason = { body: { reason: 'No.' } };
  const declined = `/api/v1/proposals/${ofUsedUp[1]}/decline`;
  const { status } = await api(service, usedUp, usedUp.teamKey, declined, reason);
  if (status !== 200) throw new Error(`POST ${declined} answered ${status}`);
  return {
    mine: { ...mine, taskId, decisionId, proposalIds: ofMine },
    other,
    usedUp: { ...usedUp, proposalIds: ofUsedUp },
    curious,
  };
}

/** Proposes three items under the name of the member of the other keys, and returns the ids of the proposals. */
async function propose(service: RunningService, team: Team): Promise<string[]> {
  const { key } = await asAdministrator(service, (admin) =>
    admin.createKey({
      team: team.slug,
      member: 'ada',
      tier: 'team',
      access: 'propose',
      itemWritesPerMinute: 100,
    }),
  );
  const items = ['accept.md', 'decline.md', 'withdraw.md'].map((name) => item(name));
  const pushed = await api(service, team, key, '/api/v1/items', { body: { items } });
  if (pushed.body.proposed !== items.length) throw new Error(`POST /items answered ${pushed.status}`);
  const { body } = await api(service, team, key, '/api/v1/proposals', {});
  return items.map(({ row_key }) => {
    return body.proposals.find((each: { row_key: string }) => each.row_key === row_key).proposal_id;
  });
}
