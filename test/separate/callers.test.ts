import { createPrivateKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { mongoServerForTests } from '@teammemory/testkit/mongo-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scan, snapshot } from '../support/analytics/valid-bodies.ts';
import { partProcess } from '../support/deployment/part-process.ts';
import { type RunningPart, startPart } from '../support/deployment/running-part.ts';
import { item } from '../support/http/api.ts';
import { keyHolder, newTeam, type TeamClients } from '../support/http/key-holder.ts';
import { callContent, callerToken, exchange, memberPrincipal } from '../support/rpc/caller-tokens.ts';
import { reflectedMethods } from '../support/rpc/foreign-clients.ts';
import { type RpcAnswer, rpcCall } from '../support/rpc/rpc-call.ts';
import { sharedService } from '../support/service/shared-service.ts';

/** Half a thousand calls, each on a connection of its own. */
const timeoutMs = 120_000;
const canary = 'marmalade';
const services = [AnalyticsService, AuthService, ContentService, QueryService].map(
  ({ typeName, methods }) => ({
    typeName,
    audience: typeName.split('.')[1] ?? '',
    methods: methods.map(({ name, methodKind }) => ({ name, streaming: methodKind !== 'unary' })),
  }),
);
/** Where tokens come from, so that it needs none (docs/security.md). */
const openMethod = 'ExchangeCredential';
/** What members may call with an exchanged key; everything else is for administrators, services or the gateway. */
const membersMethods = {
  analytics: ['ExplainScan', 'ExplainSnapshot', 'GetRollup', 'ListCodebases', 'ListScans', 'ListSnapshots'],
  auth: [
    ...['CreateSignInLink', 'EndSessions', 'ListRefusals'],
    ...['ListMembers', 'AddMember', 'RemoveMember', 'SetMemberRole'],
    ...['ListKeys', 'CreateKey', 'RotateKey', 'RevokeKey'],
    ...['ListInvitations', 'CreateInvitation', 'RevokeInvitation'],
    ...['ListSignInAddresses', 'AddSignInAddress', 'RemoveSignInAddress'],
    'ListTeamAuditEntries',
  ],
  content: [
    ...[
      'ListItems',
      'ListFolder',
      'GetItemSummaries',
      'GetItemsVersion',
      'ReadNewestTimes',
      'GetItem',
      'ListItemHistory',
      'GetItemVersion',
      'ListItemVersions',
      'DeleteItem',
      'EraseItem',
      'ListTasks',
      'GetTask',
      'ListProjects',
      'CreateProject',
      'RemoveProject',
      'RenameProject',
      'ListProjectItems',
      'ReadProjectActivity',
      'ListSkippedTexts',
    ],
    ...['ListProposals', 'GetProposal', 'AcceptProposal', 'DeclineProposal', 'WithdrawProposal'],
    ...['ListDecisions', 'CreateDecision', 'EditDecision', 'RemoveDecision', 'GetDecision'],
    'GetShownDecision',
    'ListDecisionVersions',
    ...['CreateWebhook', 'ListWebhooks', 'EditWebhook', 'RotateWebhookSecret'],
    ...['ReplayWebhook', 'RemoveWebhook', 'TestWebhook'],
    'ListTeamAuditEntries',
  ],
  query: [
    ...['Ask', 'Search', 'GetItemCoverage', 'ListItemCoverage', 'FindItems', 'ListNotesToCheck'],
    ...['GetUsage', 'GetSpending'],
    ...['RateAnswer', 'ListRatings', 'RemoveRatings'],
  ],
} as Readonly<Record<string, readonly string[]>>;
/** What they answer to a stranger: for the own team whatever the message says, or nothing of that name. */
const membersCodes = /^(ok|not_found|already_exists|permission_denied)$/;

const service = sharedService();

describe.each(services)('$typeName', ({ typeName, audience, methods }) => {
  let addresses: string[];
  beforeAll(() => {
    const own = audience === 'content' ? 'content-2' : `${audience}-1`;
    addresses = [service().rpcUrl, partProcess(service(), own).address];
  });

  /** Calls a method at the front and at the service itself. */
  function callBoth(
    { name, streaming }: { name: string; streaming: boolean },
    authorization: string | undefined,
    message: object = {},
  ): Promise<RpcAnswer[]> {
    const method = `${typeName}/${name}`;
    return Promise.all(
      addresses.map((rpcUrl) =>
        rpcCall({ rpcUrl, protocol: 'connect', method, streaming, message, authorization }),
      ),
    );
  }

  test('has the methods that are walked here, by its own reflection and that of the front', async () => {
    for (const address of addresses) {
      const listed = (await reflectedMethods(address)).filter((name) => name.startsWith(typeName));
      expect(listed.toSorted()).toEqual(methods.map(({ name }) => `${typeName}/${name}`).toSorted());
    }
  });

  test('refuses every call without a token of its own that is good now', { timeout: timeoutMs }, async () => {
    const { slug } = await service().createTeam();
    const signingKey = createPrivateKey(readFileSync(join(service().dataDirectory, 'signing-key.pem')));
    const other = generateKeyPairSync('ed25519').privateKey;
    const principal = memberPrincipal(slug);
    const issuedAt = Math.floor(Date.now() / 1000);
    const elsewhere = audience === 'query' ? 'content' : 'query';
    const good = callerToken(signingKey, { audience, principal });
    const tokens = {
      none: undefined,
      forged: callerToken(other, { audience, principal }),
      unsigned: callerToken(signingKey, { audience, principal, algorithm: 'none' }),
      altered: `${good.slice(0, -8)}AAAAAAAA`,
      expired: callerToken(signingKey, { audience, principal, issuedAt: issuedAt - 70 }),
      'for another service': callerToken(signingKey, { audience: elsewhere, principal }),
      "nobody's": callerToken(signingKey, {
        audience,
        // Operators have names; tokens without one are of nobody.
        principal: { kind: 'administrator' },
      }),
    };
    for (const method of methods.filter(({ name }) => name !== openMethod)) {
      for (const [kind, token] of Object.entries(tokens)) {
        const answers = await callBoth(method, token && `Bearer ${token}`);
        const codes = answers.map(({ code }) => code);
        const refused = ['unauthenticated', 'unauthenticated'];
        expect({ method: method.name, kind, codes }).toEqual({ method: method.name, kind, codes: refused });
      }
    }
  });

  test('gives a member of another team nothing of this one, and only the methods of members', {
    timeout: timeoutMs,
  }, async () => {
    const { message, unchanged } = await plantedTeam();
    const { teamKey } = await newTeam(service());
    for (const method of methods.filter(({ name }) => name !== openMethod)) {
      // A token ends after a minute, in which a busy machine does not make all calls.
      const answers = await callBoth(method, await exchange(service(), teamKey, audience), message);
      const allowed = membersMethods[audience]?.includes(method.name) ?? false;
      for (const { code } of answers) {
        expect({ method: method.name, code }).toEqual({
          method: method.name,
          code: expect.stringMatching(allowed ? membersCodes : /^permission_denied$/),
        });
      }
      expect(JSON.stringify(answers)).not.toContain(canary);
    }
    await unchanged();
  });
});

/** A team with a row of every sort, and a message that names it and them in every way that a method knows. */
async function plantedTeam(): Promise<{ message: object; unchanged(): Promise<void> }> {
  const planted = await newTeam(service());
  const { team, slug, teamKey } = planted;
  const rowKey = 'todo.md';
  await team.push(item(rowKey, `- [ ] ${canary} +${canary}\n`));
  const authorization = await exchange(service(), teamKey);
  const claims = JSON.parse(Buffer.from(authorization.split('.')[1] ?? '', 'base64url').toString());
  const { teamId, memberId, keyId } = claims.principal.caller;
  const decided = { audience: 'TIER_TEAM', status: 'DECISION_STATUS_ACCEPTED' };
  const made = await callContent(service(), authorization, 'CreateDecision', {
    decision: { title: canary, body: canary, ...decided },
  });
  expect(made.code).toBe('ok');
  for (const [path, body] of [
    ['/codebases', scan()],
    ['/metrics', snapshot()],
  ] as const) {
    expect((await team.call(path, { body })).status).toBe(200);
  }
  const { decisionId, updatedAt } = made.message.decision;
  // The name leads nowhere, and says what must not be seen.
  const webhook = { url: `https://${canary}.invalid/`, lists: ['FEED_LIST_TASKS'] };
  const registered = await callContent(service(), authorization, 'CreateWebhook', webhook);
  expect(registered.code).toBe('ok');
  const { webhookId } = registered.message.webhook;
  const webhooks = async () => {
    const { message } = await callContent(service(), await exchange(service(), teamKey), 'ListWebhooks');
    return message.webhooks.map(({ url, lists }: { url: string; lists: string[] }) => ({ url, lists }));
  };
  const callQuery = async (method: string, message: object = {}) => {
    const authorization = await exchange(service(), teamKey, 'query');
    const path = `teammemory.query.v1.QueryService/${method}`;
    const { rpcUrl } = service();
    return rpcCall({ rpcUrl, protocol: 'connect', method: path, message, authorization });
  };
  await callQuery('RateAnswer', { question: canary, verdict: 'RATING_VERDICT_HELPED' });
  const ratings = async () => (await callQuery('ListRatings')).message.ratings;
  const agent = await planted.newKey('team', { member: 'ines', access: 'propose' });
  await keyHolder(service(), planted, agent).push(item('proposed.md', canary));
  const proposals = async () =>
    (await callContent(service(), await exchange(service(), teamKey), 'ListProposals')).message.proposals;
  const { codebase, metrics } = scan();
  const now = async () => ({
    rows: await rowsOf(planted),
    proposals: await proposals(),
    webhooks: await webhooks(),
    ratings: await ratings(),
  });
  const before = await now();
  expect([before.ratings.length, before.proposals.length]).toEqual([1, 1]);
  return {
    message: {
      teamId,
      teamSlug: slug,
      memberId,
      keyId,
      memberHandle: 'ada',
      member: 'ada',
      handle: 'ada',
      rowKey,
      decisionId,
      baseUpdatedAt: updatedAt,
      decision: { title: 'Not yours', ...decided },
      title: 'Not yours',
      ...decided,
      slug: 'not-yours',
      name: 'Not yours',
      codebaseSlug: codebase.slug,
      headSha: metrics.head_sha,
      metric: snapshot().metric,
      date: snapshot().date,
      webhookId,
      url: 'https://not-yours.invalid/',
      since: '2026-01-01T00:00:00Z',
      question: 'Who has something to do with oranges?',
      ratingIds: [before.ratings[0].ratingId],
      proposalId: before.proposals[0].proposalId,
      reason: 'Not yours',
    },
    unchanged: async () => expect(await now()).toEqual(before),
  };
}

async function rowsOf({ team }: TeamClients): Promise<unknown> {
  const paths = ['/items', '/tasks', '/decisions', '/projects'];
  const answers = await Promise.all(paths.map((path) => team.call(path)));
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
  return answers.map(({ body }) => body);
}

describe('keys that sign tokens are rotated', () => {
  const old = generateKeyPairSync('ed25519');
  const next = generateKeyPairSync('ed25519');
  const parts: RunningPart[] = [];
  afterAll(() => Promise.all(parts.map(({ remove }) => remove())));

  /** How a content process with these keys answers a member's token signed with each of the two. */
  async function answers(accepted: (typeof old)[]): Promise<string[]> {
    const mongodb = mongoServerForTests();
    if ('reason' in mongodb) throw new Error(mongodb.reason);
    const keys = accepted.map(({ publicKey }) => publicKey.export({ type: 'spki', format: 'pem' }));
    const part = await startPart('content', {
      MONGODB_URL: mongodb.url,
      MONGODB_DATABASE: `test_${randomUUID().replaceAll('-', '')}`,
      VERIFICATION_KEYS: keys.join(''),
      SIGNING_KEY: String(next.privateKey.export({ type: 'pkcs8', format: 'pem' })),
      // Nobody asks about webhooks here.
      AUTH_URL: 'http://127.0.0.1:9',
    });
    parts.push(part);
    const principal = memberPrincipal('acme', randomUUID());
    return Promise.all(
      [old, next].map(async ({ privateKey }) => {
        const authorization = `Bearer ${callerToken(privateKey, { audience: 'content', principal })}`;
        return (await callContent(part, authorization, 'ListItems')).code;
      }),
    );
  }

  test('with both keys a part accepts tokens of either, with one it refuses those of the other', async () => {
    expect(await answers([old, next])).toEqual(['ok', 'ok']);
    expect(await answers([next])).toEqual(['unauthenticated', 'ok']);
  });
});
