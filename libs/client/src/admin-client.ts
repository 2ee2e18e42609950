import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type Client, createClient, type Interceptor } from '@connectrpc/connect';
import { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { AuthService, MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import {
  type KeyRecord,
  keyFromProto,
  type MemberRecord,
  memberFromProto,
  type TeamRecord,
  teamFromProto,
} from './admin-records.ts';
import { type AnalyticsMethods, analyticsMethods } from './analytics-methods.ts';
import type { CallOptions } from './call-options.ts';
import { type ContentAdmin, contentMethods } from './content-admin.ts';
import { type IndexMethods, indexMethods } from './index-methods.ts';
import { everyPage, given, translated } from './rpc-answer.ts';
import { createRpcConnection, type RpcConnectionOptions } from './rpc-connection.ts';
import { type ServiceCredentialMethods, serviceCredentialMethods } from './service-credential-methods.ts';
import { type UsageMethods, usageMethods } from './usage-methods.ts';

/** The most that the service gives at once. */
const keysPerPage = 200;

export interface AdminClientOptions extends RpcConnectionOptions {
  /** Administrator's token. */
  token: string;
}

export interface NewKey {
  /** Slug of the team. */
  team: string;
  /** Handle of the member. */
  member: string;
  tier: 'team' | 'external';
  /** Without it the key never expires. */
  expiresAt?: Date;
}

/** Administration of the whole installation. Every method throws RpcError. */
export interface AdminClient
  extends AnalyticsMethods,
    ContentAdmin,
    ServiceCredentialMethods,
    IndexMethods,
    UsageMethods {
  createTeam(team: { slug: string; name: string }, options?: CallOptions): Promise<TeamRecord>;
  addMember(
    member: { team: string; handle: string; role: 'admin' | 'member' },
    options?: CallOptions,
  ): Promise<MemberRecord>;
  /** Makes a key. The answer is the only place where `key`, the whole key, is ever shown. */
  createKey(key: NewKey, options?: CallOptions): Promise<KeyRecord & { key: string }>;
  /** Revokes a key; success also when it was revoked before. */
  revokeKey(keyId: string, options?: CallOptions): Promise<KeyRecord>;
  /** Yields the keys of a team page by page, oldest first, without their secrets. */
  listKeys(team: string, options?: CallOptions): AsyncGenerator<KeyRecord[]>;
  /** Closes the connection, which would otherwise keep the process running. */
  close(): void;
}

/** Makes an administrator's client over Connect on HTTP/2. Throws TypeError for a bad address or token. */
export function createAdminClient({ token, ...options }: AdminClientOptions): AdminClient {
  // A header with a control character would be quoted, token and all, in the error it causes.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError('The admin token has characters that no token has.');
  const authorize: Interceptor = (next) => (request) => {
    request.header.set('authorization', `Bearer ${token}`);
    return next(request);
  };
  const { transport, close } = createRpcConnection(options, authorize);
  const auth = createClient(AuthService, transport);
  const query = createClient(QueryService, transport);
  return {
    ...authMethods(auth),
    ...analyticsMethods(auth, createClient(AnalyticsService, transport)),
    ...contentMethods(auth, createClient(ContentService, transport)),
    ...indexMethods(auth, query),
    ...usageMethods(auth, query),
    ...serviceCredentialMethods(auth),
    close,
  };
}

function authMethods(
  auth: Client<typeof AuthService>,
): Omit<
  AdminClient,
  'close' | keyof (AnalyticsMethods & ContentAdmin & ServiceCredentialMethods & IndexMethods & UsageMethods)
> {
  return {
    createTeam: (team, options) =>
      translated(async () => teamFromProto(given((await auth.createTeam(team, options)).team))),
    addMember: ({ team, handle, role }, options) =>
      translated(async () => {
        const request = {
          teamSlug: team,
          handle,
          role: role === 'admin' ? MemberRole.ADMIN : MemberRole.MEMBER,
        };
        return memberFromProto(given((await auth.addMember(request, options)).member));
      }),
    createKey: ({ team, member, tier, expiresAt }, options) =>
      translated(async () => {
        const request = {
          teamSlug: team,
          memberHandle: member,
          tier: tier === 'external' ? Tier.EXTERNAL : Tier.TEAM,
          expiresAt: expiresAt && timestampFromDate(expiresAt),
        };
        const { key, secretKey } = await auth.createKey(request, options);
        return { ...keyFromProto(given(key)), key: secretKey };
      }),
    revokeKey: (keyId, options) =>
      translated(async () => keyFromProto(given((await auth.revokeKey({ keyId }, options)).key))),
    async *listKeys(team, options) {
      const pages = everyPage((pageToken) =>
        auth.listKeys({ teamSlug: team, pageSize: keysPerPage, pageToken }, options),
      );
      for await (const { keys } of pages) yield keys.map(keyFromProto);
    },
  };
}
