import { randomUUID } from 'node:crypto';
import type { DescMessage } from '@bufbuild/protobuf';
import { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { beforeAll, expect, test } from 'vitest';
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

/** Who calls a list, the most rows that a page of it has by the proto, and what else its request names. */
type List = [
  caller: 'administrator' | 'member' | 'service',
  maximum: number,
  named?: (team: { teamId: string; slug: string }) => object,
];

const ofTeam = ({ teamId }: { teamId: string }) => ({ teamId });
const ofSlug = ({ slug }: { slug: string }) => ({ teamSlug: slug });

const lists: Record<string, List> = {
  'analytics ListCodebases': ['member', 200],
  'analytics ListScans': ['member', 200, () => ({ codebaseSlug: 'web' })],
  'analytics ListSnapshots': ['member', 200],
  'analytics RescoreScans': ['administrator', 200, ofTeam],
  'analytics RescoreSnapshots': ['administrator', 200, ofTeam],
  'auth ListAuditEntries': ['administrator', 200],
  'auth ListKeys': ['administrator', 200, ofSlug],
  'auth ListMembers': ['administrator', 200, ofSlug],
  'auth ListOperators': ['administrator', 200],
  'auth ListServiceCredentials': ['administrator', 200],
  'auth ListSignInAddresses': ['administrator', 200, ofSlug],
  'auth ListTeamAuditEntries': ['member', 200],
  'auth ListTeams': ['administrator', 200],
  'content ListAuditEntries': ['administrator', 200],
  'content ListDecisionVersions': [
    'administrator',
    20,
    (team) => ({ ...ofTeam(team), decisionId: randomUUID() }),
  ],
  'content ListDecisions': ['member', 200],
  'content ListFeeds': ['service', 1_000],
  'content ListFolder': ['member', 100],
  'content ListItemHistory': ['member', 200, () => ({ rowKey: 'a.md' })],
  'content ListItemVersions': ['member', 200, () => ({ rowKey: 'a.md' })],
  'content ListItems': ['member', 200],
  'content ListProjectItems': ['member', 200, () => ({ slug: 'web' })],
  'content ListProjects': ['member', 1_000],
  'content ListProposals': ['member', 200],
  'content ListSkippedTexts': ['administrator', 200, ofTeam],
  'content ListTasks': ['member', 200],
  'content ListTeamAuditEntries': ['member', 200],
  'content ReadFeed': ['service', 200, ofTeam],
  'content ReadProjects': ['service', 1_000, ofTeam],
  'query GetUsage': ['administrator', 200, ofTeam],
  'query ListRatings': ['administrator', 100, ofTeam],
  'query Search': ['member', 1_000, () => ({ question: 'marmalade' })],
};

/** The field of a request that says how many rows it wants, such as `page.limit`; undefined where it has none. */
function sizeField(input: DescMessage): string | undefined {
  for (const field of input.fields) {
    if (field.name === 'limit' || field.name === 'page_size') return field.name;
    const below = field.fieldKind === 'message' ? field.message.field.limit : undefined;
    if (below !== undefined) return `${field.name}.${below.name}`;
  }
  return undefined;
}

/** All methods of the protos with such a field. */
const sized = Object.entries(services).flatMap(([service, { typeName, methods }]) =>
  methods.flatMap(({ name, input }) => {
    const field = sizeField(input);
    return field === undefined ? [] : [{ key: `${service} ${name}`, path: `${typeName}/${name}`, field }];
  }),
);

const service = sharedService();
let team: { teamId: string; slug: string };
let tokenOf: (caller: List[0], audience: string) => Promise<string>;

beforeAll(async () => {
  const { slug, teamKey, team: member } = await newTeam(service());
  await member.push(item('a.md', 'marmalade'));
  const { adminToken, rpcUrl } = service();
  const administrator = `Bearer ${adminToken}`;
  const method = 'teammemory.auth.v1.AuthService/GetTeam';
  const found = await rpcCall({
    rpcUrl,
    protocol: 'connect',
    method,
    message: { slug },
    authorization: administrator,
  });
  team = { slug, teamId: found.message.team.teamId };
  const name = `sizes-${randomUUID()}`;
  const { credential } = await asAdministrator(service(), (admin) =>
    admin.createServiceCredential({ name, scopes: ['feed:read'] }),
  );
  tokenOf = async (caller, audience) =>
    caller === 'administrator'
      ? administrator
      : exchange(service(), caller === 'member' ? teamKey : credential, audience);
});

/** Calls a method with so many rows wanted. */
async function ask({ key, path, field }: (typeof sized)[number], rows: number, more: object = {}) {
  const [caller, , named = () => ({})] = lists[key] as List;
  const camel = (snake: string) => snake.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  const size = field.split('.').reduceRight<unknown>((below, part) => ({ [camel(part)]: below }), rows);
  return rpcCall({
    rpcUrl: service().rpcUrl,
    protocol: 'connect',
    method: path,
    message: { ...named(team), ...more, ...(size as object) },
    authorization: await tokenOf(caller, key.split(' ')[0] ?? ''),
  });
}

/** What a list answers to a request for more rows than a page may have. */
async function expectRefusal(list: (typeof sized)[number], maximum: number, more?: object): Promise<void> {
  for (const rows of [maximum + 1, 4_294_967_295]) {
    const { code, message } = await ask(list, rows, more);
    expect(code).toBe('invalid_argument');
    expect(message.message).toBe(`${list.field}: must be at most ${maximum}.`);
    const [detail] = message.details;
    expect(detail.type).toBe('teammemory.common.v1.ErrorDetail');
    const text = Buffer.from(detail.value, 'base64').toString();
    expect(text).toContain(`/${list.field.replace('.', '/')}`);
    expect(text).toContain(`must be at most ${maximum}`);
  }
}

test('every method of the protos with a limit or a page size is in this table', () => {
  expect(sized.map(({ key }) => key).toSorted()).toEqual(Object.keys(lists).toSorted());
});

test.each(sized)('$key takes its maximum and 0, and refuses more rows by name', async (list) => {
  const [, maximum] = lists[list.key] as List;
  for (const rows of [maximum, 0]) expect(['ok', 'not_found']).toContain((await ask(list, rows)).code);
  await expectRefusal(list, maximum);
});

test('a feed of tasks is read by 1,000, one of decisions by 200', async () => {
  const readFeed = sized.find(({ key }) => key === 'content ReadFeed') as (typeof sized)[number];
  const [tasks, decisions] = [{ list: 'FEED_LIST_TASKS' }, { list: 'FEED_LIST_DECISIONS' }];
  expect((await ask(readFeed, 1_000, tasks)).code).toBe('ok');
  await expectRefusal(readFeed, 1_000, tasks);
  await expectRefusal(readFeed, 200, decisions);
});
