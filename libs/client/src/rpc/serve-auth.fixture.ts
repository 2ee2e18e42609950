import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, type ConnectRouter, type ServiceImpl } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ErrorDetailSchema } from '@teammemory/proto/common/v1/error_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { ContentService, DecisionStatus, SkipReason } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';

/** When everything in `fakeAuth` was created. */
export const createdAt = '2026-11-21T06:27:00.123Z';
export const keyId = 'k'.repeat(16);

const created = timestampFromDate(new Date(createdAt));
const conflict = { desc: ErrorDetailSchema, value: { code: 'conflict' } };
const invalidKey = { desc: ErrorDetailSchema, value: { code: 'invalid_key' } };
const noTitle = {
  desc: ErrorDetailSchema,
  value: {
    code: 'invalid_request',
    violations: [{ pointer: '/title', detail: 'must be 1 to 300 characters' }],
  },
};
const notFound = { desc: ErrorDetailSchema, value: { code: 'not_found' } };
const alreadyExists = { desc: ErrorDetailSchema, value: { code: 'already_exists' } };

const serviceCredential = { credentialId: keyId, name: 'search', scopes: ['feed:read'], createdAt: created };

/** An auth service without a memory; the team `taken` exists already, the key `mine` may not be revoked. */
export const fakeAuth: Partial<ServiceImpl<typeof AuthService>> = {
  createTeam: ({ slug, name }) => {
    if (slug !== 'taken') return { team: { teamId: 't1', slug, name, createdAt: created } };
    throw new ConnectError('The slug is taken.', Code.AlreadyExists, undefined, [alreadyExists]);
  },
  getTeam: ({ slug }) => ({ team: { teamId: `id-of-${slug}`, slug, name: slug, createdAt: created } }),
  listTeams: ({ pageToken }) =>
    pageToken === ''
      ? { teams: [{ teamId: 'id-of-demo', slug: 'demo' }], nextPageToken: 'p2' }
      : { teams: [{ teamId: 'id-of-other', slug: 'other' }] },
  listMembers: ({ pageToken }) =>
    pageToken === ''
      ? { members: [{ memberId: 'm1', handle: 'ada' }], nextPageToken: 'p2' }
      : { members: [{ memberId: 'm2', handle: 'bob' }] },
  addMember: ({ handle, role }) => ({ member: { memberId: 'm1', handle, role, createdAt: created } }),
  createKey: ({ memberHandle, tier, expiresAt }) => ({
    key: { keyId, memberHandle, tier, createdAt: created, expiresAt },
    secretKey: `tms_${keyId}_secret`,
  }),
  setMemberRole: ({ handle, role }) => ({ member: { memberId: 'm1', handle, role, createdAt: created } }),
  rotateKey: ({ keyId, overlapSeconds = 86_400 }) => ({
    key: { keyId: 'n'.repeat(16), createdAt: created },
    secretKey: 'tms_new_secret',
    replaced: { keyId, expiresAt: { ...created, seconds: created.seconds + BigInt(overlapSeconds) } },
  }),
  revokeKey: ({ keyId }) => {
    if (keyId === 'mine') throw new ConnectError('no', Code.PermissionDenied);
    return { key: { keyId, createdAt: created, revokedAt: created } };
  },
  exchangeCredential: ({ credential, audience }) => {
    if (credential !== `tms_${keyId}_secret`) {
      throw new ConnectError('No.', Code.Unauthenticated, undefined, [invalidKey]);
    }
    const expiresAt = timestampFromDate(new Date(Date.now() + 60_000));
    return { token: `token-for-${audience}`, expiresAt };
  },
  createServiceCredential: ({ name, scopes, expiresAt }) => ({
    serviceCredential: { ...serviceCredential, name, scopes, expiresAt },
    secretCredential: `tmss_${keyId}_secret`,
  }),
  revokeServiceCredential: ({ name }) => ({
    serviceCredential: { ...serviceCredential, name, revokedAt: created },
  }),
  listServiceCredentials: ({ pageToken }) => ({
    serviceCredentials: [serviceCredential],
    nextPageToken: pageToken === '' ? 'p2' : '',
  }),
  addSignInAddress: ({ address, memberHandle }) => {
    if (address === 'taken@example.org') {
      throw new ConnectError('The team has it.', Code.AlreadyExists, undefined, [alreadyExists]);
    }
    return { signInAddress: { address, memberHandle, createdAt: created } };
  },
  removeSignInAddress: () => ({}),
  listSignInAddresses: ({ pageToken }) =>
    pageToken === ''
      ? { signInAddresses: [{ address: 'ada@example.org', memberHandle: 'ada' }], nextPageToken: 'p2' }
      : { signInAddresses: [{ address: 'bo@example.org', memberHandle: 'bo' }] },
  listKeys: ({ pageToken }) => ({
    keys: [{ keyId, memberHandle: 'ada', createdAt: created }],
    nextPageToken: pageToken === '' ? 'p2' : '',
  }),
};

const figures = { members: 3, spines: { L0: 0, L2: 3 }, medianAxes: { autonomy: 2.5 } };

/** An analytics service that knows the team `demo` only; it has two pages of scans to score, and one of snapshots. */
export const fakeAnalytics: Partial<ServiceImpl<typeof AnalyticsService>> = {
  getRollup: ({ teamId, weeks }) => ({
    from: '2026-11-16',
    to: '2026-11-22',
    rubricVersion: 1,
    current: teamId === 'id-of-demo' ? figures : { members: 0, withheld: true },
    trend: Array(weeks).fill({ week: '2026-11-16', placement: { members: 2, withheld: true } }),
  }),
  rescoreScans: ({ teamId, pageToken }) =>
    teamId === 'id-of-demo' ? { rescored: 2, nextPageToken: pageToken === '' ? 'p2' : '' } : {},
  rescoreSnapshots: ({ teamId }) => ({ rescored: teamId === 'id-of-demo' ? 1 : 0 }),
};

const decision = {
  decisionId: 'd1',
  title: 'Use SQLite',
  body: 'a',
  status: DecisionStatus.PROPOSED,
  audience: Tier.TEAM,
  updatedAt: created,
  updatedBy: 'administrator',
};

/** A content service without a memory that answers what it was asked for; the decision `old` has changed meanwhile. */
export const fakeContent: Partial<ServiceImpl<typeof ContentService>> = {
  createDecision: ({ teamId, decision: given }) => {
    const { title, body, status, audience, project, decidedOn } = given ?? {};
    if (!title)
      throw new ConnectError('The decision breaks a rule.', Code.InvalidArgument, undefined, [noTitle]);
    const fields = {
      title,
      status: status || decision.status,
      audience,
      project,
      decidedOn,
      body: `${teamId}: ${body}`,
    };
    return { decision: { ...decision, ...fields, updatedBy: '' } };
  },
  editDecision: ({ decisionId, title, hidden, baseUpdatedAt }) => {
    if (decisionId === 'old') throw new ConnectError('It has changed.', Code.Aborted, undefined, [conflict]);
    return {
      decision: { ...decision, decisionId, title: title ?? 'Use SQLite', hidden, updatedAt: baseUpdatedAt },
    };
  },
  repairUsage: ({ pageToken }) =>
    pageToken === ''
      ? { checked: 2, repaired: 1, busy: 0, nextPageToken: 'p2' }
      : { checked: 1, repaired: 0, busy: 1, nextPageToken: '' },
  getDecision: ({ decisionId }) => ({ decision: { ...decision, decisionId, title: 'Now' } }),
  listDecisionVersions: ({ decisionId, pageToken }) => ({
    versions: [{ ...decision, decisionId, title: `Before ${pageToken || 'now'}` }],
    nextPageToken: pageToken === '' ? 'p2' : '',
  }),
  listDecisions: ({ page }) => {
    const row = { decision_id: 'd1', updated_at: createdAt, deleted: true };
    const rowsJson = Buffer.from(JSON.stringify([row]));
    return { page: { rowsJson, nextCursor: 'next', hasMore: page?.cursor === '' } };
  },
  createProject: ({ slug, name }) => ({ project: { slug, name, brainOnly: true } }),
  eraseMemberTexts: ({ pageToken, dryRun }) => {
    if (!dryRun && pageToken === '') return { items: 1, nextPageToken: 'items/1' };
    return dryRun ? { items: 1, versions: 2, proposals: 4 } : { versions: 2, proposals: 4 };
  },
  listSkippedTexts: ({ teamId, pageToken }) => {
    if (teamId !== 'id-of-demo') return {};
    return pageToken === ''
      ? {
          texts: [{ decisionId: 'd1', reason: SkipReason.TOO_COMPLEX, noticedAt: created }],
          nextPageToken: 'decision/d1',
        }
      : { texts: [{ rowKey: 'a\u001b[2Jtasks.md', reason: SkipReason.TOO_MANY, noticedAt: created }] };
  },
  renameProject: ({ slug, name }) => ({ project: { slug, name, brainOnly: true } }),
  removeProject: ({ slug }) => ({ stillNamed: slug === 'named' }),
  removeDecision: ({ decisionId }) => {
    if (decisionId !== 'none') return {};
    throw new ConnectError('There is no such decision.', Code.NotFound, undefined, [notFound]);
  },
};

const row = { day: '2026-11-20', model: 'gpt', calls: 2n, inputTokens: 1_000n, outputTokens: 30n };

/** A query service whose teams each have two pages of usage: of two members, one of them unknown, and of the team. */
export const fakeQuery: Partial<ServiceImpl<typeof QueryService>> = {
  getUsage: ({ teamId, from, to, pageToken }) => {
    if (to === '2026-02-30') throw new ConnectError('The days are not good.', Code.InvalidArgument);
    const days = { from: from || '2026-10-23', to: to || '2026-11-21' };
    if (pageToken !== '') return { ...days, rows: [{ ...row, memberId: '', costMicroDollars: 1n }] };
    return {
      ...days,
      rows: ['m2', `of-${teamId}`].map((memberId) => ({ ...row, memberId, costMicroDollars: 290_000n })),
      nextPageToken: 'p2',
    };
  },
  getIndex: ({ teamId }) => {
    if (teamId !== 'id-of-demo') throw new ConnectError('There is no memory.', Code.Unavailable);
    const [team, external] = [300n, 20n].map((passages) => ({ passages, missingPassages: passages / 10n }));
    return { team, external, bytes: 5_242_880n };
  },
  eraseMemberRatings: ({ handle }) => ({ ratings: handle === 'ada' ? 3 : 0 }),
};

/** Services that take the place of the fakes. */
export interface FakeServices {
  analytics?: Partial<ServiceImpl<typeof AnalyticsService>>;
  content?: Partial<ServiceImpl<typeof ContentService>>;
}

/** Serves an auth, an analytics, a content and a query service over Connect on h2c on a free port of this machine. */
export async function serveAuth(
  auth: Partial<ServiceImpl<typeof AuthService>>,
  { analytics = fakeAnalytics, content = fakeContent }: FakeServices = {},
): Promise<{ rpcUrl: string; close(): void }> {
  const routes = (router: ConnectRouter) =>
    router
      .service(AuthService, auth)
      .service(AnalyticsService, analytics)
      .service(ContentService, content)
      .service(QueryService, fakeQuery);
  const server = createServer(connectNodeAdapter({ routes }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { rpcUrl, close: () => server.close() };
}
