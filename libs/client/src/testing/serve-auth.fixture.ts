import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ErrorDetailSchema } from '@teammemory/proto/common/v1/error_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { ContentService, DecisionStatus } from '@teammemory/proto/content/v1/content_pb.ts';

/** When everything in `fakeAuth` was created. */
export const createdAt = '2026-11-21T06:27:00.123Z';
export const keyId = 'k'.repeat(16);

const created = timestampFromDate(new Date(createdAt));
const conflict = { desc: ErrorDetailSchema, value: { code: 'conflict' } };
const alreadyExists = { desc: ErrorDetailSchema, value: { code: 'already_exists' } };

/** An auth service without a memory; the team `taken` exists already, the key `mine` may not be revoked. */
export const fakeAuth: Partial<ServiceImpl<typeof AuthService>> = {
  createTeam: ({ slug, name }) => {
    if (slug !== 'taken') return { team: { teamId: 't1', slug, name, createdAt: created } };
    throw new ConnectError('The slug is taken.', Code.AlreadyExists, undefined, [alreadyExists]);
  },
  getTeam: ({ slug }) => ({ team: { teamId: `id-of-${slug}`, slug, name: slug, createdAt: created } }),
  addMember: ({ handle, role }) => ({ member: { memberId: 'm1', handle, role, createdAt: created } }),
  createKey: ({ memberHandle, tier, expiresAt }) => ({
    key: { keyId, memberHandle, tier, createdAt: created, expiresAt },
    secretKey: `tms_${keyId}_secret`,
  }),
  revokeKey: ({ keyId }) => {
    if (keyId === 'mine') throw new ConnectError('no', Code.PermissionDenied);
    return { key: { keyId, createdAt: created, revokedAt: created } };
  },
  listKeys: ({ pageToken }) => ({
    keys: [{ keyId, memberHandle: 'ada', createdAt: created }],
    nextPageToken: pageToken === '' ? 'p2' : '',
  }),
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
    const fields = { title, status, audience, project, decidedOn, body: `${teamId}: ${body}` };
    return { decision: { ...decision, ...fields, updatedBy: '' } };
  },
  editDecision: ({ decisionId, title, hidden, baseUpdatedAt }) => {
    if (decisionId === 'old') throw new ConnectError('It has changed.', Code.Aborted, undefined, [conflict]);
    return {
      decision: { ...decision, decisionId, title: title ?? 'Use SQLite', hidden, updatedAt: baseUpdatedAt },
    };
  },
  listDecisions: ({ page }) => {
    const row = { decision_id: 'd1', updated_at: createdAt, deleted: true };
    const rowsJson = Buffer.from(JSON.stringify([row]));
    return { page: { rowsJson, nextCursor: 'next', hasMore: page?.cursor === '' } };
  },
  createProject: ({ slug, name }) => ({ project: { slug, name, brainOnly: true } }),
};

/** Serves an auth and a content service over Connect on h2c on a free port of this machine. */
export async function serveAuth(
  auth: Partial<ServiceImpl<typeof AuthService>>,
  content: Partial<ServiceImpl<typeof ContentService>> = fakeContent,
): Promise<{ rpcUrl: string; close(): void }> {
  const server = createServer(
    connectNodeAdapter({
      routes: (router) => router.service(AuthService, auth).service(ContentService, content),
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { rpcUrl, close: () => server.close() };
}
