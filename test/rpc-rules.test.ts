import { randomUUID } from 'node:crypto';
import { type DescField, type DescMessage, fromJson, getOption, type JsonObject } from '@bufbuild/protobuf';
import { createValidator } from '@bufbuild/protovalidate';
import { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { type FieldRules, field as rulesOption } from '@teammemory/proto/buf/validate/validate_pb.ts';
import { limits as methodLimits } from '@teammemory/proto/common/v1/limits_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam } from './support/http/key-holder.ts';
import { exchange } from './support/rpc/caller-tokens.ts';
import { rpcCall } from './support/rpc/rpc-call.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { sharedService } from './support/service/shared-service.ts';

const services = {
  analytics: AnalyticsService,
  auth: AuthService,
  content: ContentService,
  query: QueryService,
};

interface Team {
  teamId: string;
  slug: string;
  webhookId: string;
  key: string;
  keyId: string;
  decisionId: string;
}

/** Who may call a method, and a request that breaks no rule. */
type Example = [caller: 'administrator' | 'member' | 'service', request: (team: Team) => JsonObject];

const decision = { title: 'Otters', status: 'DECISION_STATUS_ACCEPTED', audience: 'TIER_TEAM' };
const scan = {
  codebase: { slug: 'web', fullName: 'otters/web', provider: 'git' },
  metrics: {
    headSha: 'a',
    readinessLevel: 'L0',
    readinessRubricVersion: '1',
    findings: [{ check: 'a', status: 'pass' }],
  },
  contributions: [{ member: 'ada' }],
  issues: [{ number: '1', title: 'Otters', state: 'open' }],
};
const snapshot = { member: 'ada', metric: 'aem-individual', date: '2026-11-20', windowDays: 7 };
const imported = () => ({ rowKey: `${randomUUID()}.md`, content: 'otters', tier: 'team', checksum: '' });
const newSlug = () => `s-${randomUUID().slice(0, 8)}`;
const nothing = () => ({});
const ofTeam = ({ teamId }: Team) => ({ teamId });
const ofSlug = ({ slug }: Team) => ({ teamSlug: slug });

const examples: Record<string, Example> = {
  'analytics BeginRestore': ['administrator', () => ({ restoreId: randomUUID(), checkOnly: true })],
  'analytics GetRollup': ['administrator', ofTeam],
  'analytics ExplainScan': [
    'administrator',
    (team) => ({ ...ofTeam(team), codebaseSlug: 'web', headSha: 'a' }),
  ],
  'analytics ExplainSnapshot': [
    'administrator',
    (team) => ({ ...ofTeam(team), member: 'ada', metric: 'aem-individual', date: '2026-11-20' }),
  ],
  'analytics ImportScan': ['administrator', (team) => ({ ...ofTeam(team), scan })],
  'analytics ImportSnapshot': ['administrator', (team) => ({ ...ofTeam(team), snapshot })],
  'analytics ListCodebases': ['administrator', ofTeam],
  'analytics ListScans': ['administrator', (team) => ({ ...ofTeam(team), codebaseSlug: 'web' })],
  'analytics ListSnapshots': ['administrator', (team) => ({ ...ofTeam(team), member: 'ada' })],
  'analytics RescoreScans': ['administrator', ofTeam],
  'analytics RescoreSnapshots': ['administrator', ofTeam],
  'auth AddMember': [
    'administrator',
    (team) => ({ ...ofSlug(team), handle: newSlug(), role: 'MEMBER_ROLE_MEMBER' }),
  ],
  'auth AddSignInAddress': [
    'administrator',
    (team) => ({ ...ofSlug(team), memberHandle: 'ada', address: `${newSlug()}@example.com` }),
  ],
  'auth BeginRestore': ['administrator', () => ({ restoreId: randomUUID(), checkOnly: true })],
  'auth CreateKey': [
    'administrator',
    (team) => ({ ...ofSlug(team), memberHandle: 'ada', tier: 'TIER_TEAM' }),
  ],
  'auth CreateOperator': ['administrator', () => ({ name: newSlug() })],
  'auth CreateServiceCredential': ['administrator', () => ({ name: newSlug(), scopes: ['feed:read'] })],
  'auth CreateTeam': ['administrator', () => ({ slug: newSlug(), name: 'Otters' })],
  'auth ExchangeCredential': ['member', ({ key }) => ({ credential: key, audience: 'content' })],
  'auth ListAuditEntries': ['administrator', nothing],
  'auth ListKeys': ['administrator', ofSlug],
  'auth ListMembers': ['administrator', ofSlug],
  'auth ListOperators': ['administrator', nothing],
  'auth ListServiceCredentials': ['administrator', nothing],
  'auth ListSignInAddresses': ['administrator', ofSlug],
  'auth ListTeamAuditEntries': ['member', nothing],
  'auth ListTeams': ['administrator', nothing],
  'auth RotateKey': ['administrator', ({ keyId }) => ({ keyId })],
  'content BeginRestore': ['administrator', () => ({ restoreId: randomUUID(), checkOnly: true })],
  'content CreateDecision': ['administrator', (team) => ({ ...ofTeam(team), decision })],
  'content CreateProject': [
    'administrator',
    (team) => ({ ...ofTeam(team), slug: newSlug(), name: 'Otters' }),
  ],
  'content CreateWebhook': [
    'administrator',
    ({ teamId, slug }) => ({ teamId, teamSlug: slug, url: 'https://hooks.invalid/' }),
  ],
  'content EditDecision': ['administrator', ({ teamId, decisionId }) => ({ teamId, decisionId })],
  'content EditWebhook': ['administrator', ({ teamId, webhookId }) => ({ teamId, webhookId })],
  'content GetItemSummaries': ['member', () => ({ rowKeys: ['a.md'] })],
  'content ImportDecision': [
    'administrator',
    (team) => ({
      ...ofTeam(team),
      author: { handle: 'ada' },
      decision: { ...decision, decisionId: randomUUID() },
    }),
  ],
  'content ImportItems': [
    'administrator',
    (team) => ({ ...ofTeam(team), author: { handle: 'ada' }, items: [imported()] }),
  ],
  'content ListAuditEntries': ['administrator', nothing],
  'content ListDecisionVersions': ['administrator', ({ teamId, decisionId }) => ({ teamId, decisionId })],
  'content ListDecisions': ['administrator', ofTeam],
  'content ListFeeds': ['service', nothing],
  'content ListFolder': ['member', nothing],
  'content ListItemHistory': ['member', () => ({ rowKey: 'a.md' })],
  'content ListItemVersions': ['member', () => ({ rowKey: 'a.md' })],
  'content ListItems': ['member', nothing],
  'content ListProjectItems': ['member', () => ({ slug: 'web' })],
  'content ListProjects': ['member', nothing],
  'content ListProposals': ['member', nothing],
  'content ListSkippedTexts': ['administrator', ofTeam],
  'content ListTasks': ['member', nothing],
  'content ListTeamAuditEntries': ['member', nothing],
  'content ReadFeed': ['service', (team) => ({ ...ofTeam(team), list: 'FEED_LIST_TASKS' })],
  'content ReadHeads': ['service', ofTeam],
  'content ReadProjectActivity': ['member', () => ({ slugs: ['web'] })],
  'content ReadProjects': ['service', ofTeam],
  'content DeclineProposal': ['member', () => ({ proposalId: randomUUID(), reason: 'otters' })],
  'content ListWebhooks': ['administrator', ofTeam],
  'content RemoveDecision': ['administrator', (team) => ({ ...ofTeam(team), decisionId: randomUUID() })],
  'content RemoveProject': ['administrator', (team) => ({ ...ofTeam(team), slug: 'web' })],
  'content RemoveWebhook': ['administrator', (team) => ({ ...ofTeam(team), webhookId: randomUUID() })],
  'content RepairUsage': ['administrator', nothing],
  'content EraseMemberTexts': ['administrator', (team) => ({ ...ofTeam(team), handle: 'ada', dryRun: true })],
  'content RenameProject': ['administrator', (team) => ({ ...ofTeam(team), slug: 'web', name: 'Otters' })],
  'content ReplayWebhook': [
    'administrator',
    ({ teamId, webhookId }) => ({ teamId, webhookId, since: '2027-01-01T00:00:00Z' }),
  ],
  'content RotateWebhookSecret': ['administrator', ({ teamId, webhookId }) => ({ teamId, webhookId })],
  'query BeginRestore': ['administrator', () => ({ restoreId: randomUUID(), checkOnly: true })],
  'query Ask': ['member', () => ({ question: 'where are the otters' })],
  'query EraseMemberRatings': ['administrator', (team) => ({ ...ofTeam(team), handle: 'ada', dryRun: true })],
  'query GetUsage': ['administrator', ofTeam],
  'query GetIndex': ['administrator', ofTeam],
  'query GetItemCoverage': ['service', (team) => ({ ...ofTeam(team), rowKey: 'a.md' })],
  'query ListItemCoverage': ['service', (team) => ({ ...ofTeam(team), rowKeys: ['a.md'] })],
  'query FindItems': ['member', () => ({ words: 'otters' })],
  'query ListRatings': ['administrator', ofTeam],
  'query RateAnswer': ['member', () => ({ question: 'where are the otters', note: 'in the harbour' })],
  'query RemoveRatings': ['administrator', (team) => ({ ...ofTeam(team), ratingIds: ['0'.repeat(32)] })],
  'query Search': ['service', (team) => ({ ...ofTeam(team), question: 'otters' })],
};

/** A field with rules, where it is in its request. */
interface RuledField {
  path: DescField[];
  rules: FieldRules;
}

/** The fields with rules of a message and of the messages in it, but for those in lists. */
function ruledFields(message: DescMessage, above: DescField[] = []): RuledField[] {
  return message.fields.flatMap((field): RuledField[] => {
    const path = [...above, field];
    const rules = getOption(field, rulesOption);
    const own = rules.type.case === undefined ? [] : [{ path, rules }];
    const isOurs = field.fieldKind === 'message' && field.message.typeName.startsWith('teammemory.');
    return isOurs && above.length < 3 ? [...own, ...ruledFields(field.message, path)] : own;
  });
}

/** The gateway calls it before anybody has signed in, with a token that nobody else can get. */
const ofGatewayAlone = ['auth RegisterApp'];

/** Every method that somebody other than the gateway calls, with the fields of its request that have rules. */
const ruled = Object.entries(services).flatMap(([service, { typeName, methods }]) =>
  methods.flatMap((method) => {
    const fields = ruledFields(method.input);
    if (fields.length === 0 || getOption(method, methodLimits).gatewayOnly) return [];
    const [path, key] = [`${typeName}/${method.name}`, `${service} ${method.name}`];
    return ofGatewayAlone.includes(key) ? [] : [{ key, path, method, fields }];
  }),
);

/** Values that break the rules of a field, each by one, and the largest and smallest that keep them. */
function valuesOf({ rules: { type } }: RuledField, example: unknown): { broken: unknown[]; kept: unknown[] } {
  const text = typeof example === 'string' ? example : '';
  switch (type.case) {
    case 'uint32': {
      const least = type.value.greaterThan.value;
      const most = type.value.lessThan.value ?? 0;
      return {
        broken: [most + 1, 4_294_967_295, ...(least === undefined ? [] : [least - 1])],
        kept: [most, least ?? 0],
      };
    }
    case 'string': {
      const { minLen, maxLen, maxBytes, pattern } = type.value;
      const most = Number(maxLen || maxBytes);
      return {
        broken: [
          ...(most === 0 ? [] : [text.padEnd(most + 1, 'x')]),
          ...(minLen === 0n ? [] : ['']),
          ...(pattern === '' ? [] : ['Not A Form!', `${text}\n`, 'x'.repeat(100)]),
        ],
        kept: most === 0 ? [] : [text.padEnd(most, 'x')],
      };
    }
    case 'repeated': {
      const { minItems, maxItems } = type.value;
      const [element] = example as unknown[];
      const many = (count: bigint) => Array.from({ length: Number(count) }, () => element);
      return { broken: [many(maxItems + 1n), ...(minItems === 0n ? [] : [[]])], kept: [many(maxItems)] };
    }
    default:
      throw new Error('this rule has no values here');
  }
}

const validator = createValidator();
const isValid = (schema: DescMessage, request: JsonObject) =>
  validator.validate(schema, fromJson(schema, request)).kind === 'valid';

const service = sharedService();
let team: Team;
let credentials: Record<Exclude<Example[0], 'administrator'>, string>;

const tokens = new Map<string, { token: Promise<string>; untilMs: number }>();
/** A token lives for a minute, and a credential may be exchanged 60 times in one. */
const keptMs = 30_000;

function tokenOf(caller: Example[0], audience: string): Promise<string> {
  if (caller === 'administrator') return Promise.resolve(`Bearer ${service().adminToken}`);
  const name = `${caller} ${audience}`;
  const kept = tokens.get(name);
  if (kept !== undefined && performance.now() < kept.untilMs) return kept.token;
  const token = exchange(service(), credentials[caller], audience);
  tokens.set(name, { token, untilMs: performance.now() + keptMs });
  return token;
}

beforeAll(async () => {
  const { slug, teamKey, team: member } = await newTeam(service());
  await member.push(item('a.md', 'otters'));
  const { credential } = await asAdministrator(service(), (admin) =>
    admin.createServiceCredential({ name: newSlug(), scopes: ['feed:read', 'search:read'] }),
  );
  credentials = { member: teamKey, service: credential };
  const made = async (method: string, message: object) => {
    const { rpcUrl } = service();
    const call = { rpcUrl, protocol: 'connect', method: `teammemory.${method}`, message } as const;
    const answer = await rpcCall({ ...call, authorization: await tokenOf('administrator', 'auth') });
    expect(answer).toMatchObject({ code: 'ok' });
    return answer.message;
  };
  const { teamId } = (await made('auth.v1.AuthService/GetTeam', { slug })).team;
  await asAdministrator(service(), (admin) => admin.addMember({ team: slug, handle: 'ida', role: 'member' }));
  const key = { teamSlug: slug, memberHandle: 'ida', tier: 'TIER_TEAM' };
  const { keyId } = (await made('auth.v1.AuthService/CreateKey', key)).key;
  const webhook = { teamId, teamSlug: slug, url: 'https://hooks.invalid/' };
  const { webhookId } = (await made('content.v1.ContentService/CreateWebhook', webhook)).webhook;
  const { decisionId } = (await made('content.v1.ContentService/CreateDecision', { teamId, decision }))
    .decision;
  team = { slug, teamId, key: teamKey, keyId, webhookId, decisionId };
});

test('every method whose request has rules is in this table', () => {
  expect(ruled.map(({ key }) => key).toSorted()).toEqual(Object.keys(examples).toSorted());
});

describe.each(ruled.filter(({ key }) => key in examples))(
  '$key',
  ({ key, path: methodPath, method, fields }) => {
    const [caller, example] = examples[key] as Example;
    const isStreaming = method.methodKind === 'server_streaming';

    async function codeOf(request: JsonObject): Promise<string> {
      const { code } = await rpcCall({
        rpcUrl: service().rpcUrl,
        protocol: 'connect',
        method: methodPath,
        streaming: isStreaming,
        message: request,
        authorization: await tokenOf(caller, key.split(' ')[0] ?? ''),
      });
      return code;
    }

    test('takes a request that breaks no rule', async () => {
      const request = example(team);
      expect(isValid(method.input, request)).toBe(true);
      // Where there is data no restore may begin: `aborted`.
      expect(['ok', 'not_found', 'aborted']).toContain(await codeOf(request));
    });

    test.each(fields.map((field) => ({ ...field, name: field.path.map(({ name }) => name).join('.') })))(
      'refuses what breaks the rules of $name, and only that',
      async (field) => {
        const withValue = (value: unknown) => changed(example(team), field.path, value);
        const { broken, kept } = valuesOf(field, valueAt(example(team), field.path));
        expect(broken.length).toBeGreaterThan(0);
        for (const value of broken) {
          expect([value, isValid(method.input, withValue(value))]).toEqual([value, false]);
          expect([value, await codeOf(withValue(value))]).toEqual([value, 'invalid_argument']);
        }
        for (const value of kept) {
          expect([value, isValid(method.input, withValue(value))]).toEqual([value, true]);
          // A text of the right length may be wrong in other ways, as an address is that ends in x.
          if (typeof value !== 'string') expect(await codeOf(withValue(value))).not.toBe('invalid_argument');
        }
      },
    );
  },
);

function valueAt(request: JsonObject, path: DescField[]): unknown {
  return path.reduce<unknown>(
    (value, { jsonName }) => (value as JsonObject | undefined)?.[jsonName],
    request,
  );
}

function changed(request: JsonObject, [field, ...rest]: DescField[], value: unknown): JsonObject {
  if (field === undefined) return request;
  const below = (request[field.jsonName] ?? {}) as JsonObject;
  return {
    ...request,
    [field.jsonName]: (rest.length === 0 ? value : changed(below, rest, value)) as JsonObject,
  };
}
