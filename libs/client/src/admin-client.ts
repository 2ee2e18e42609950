import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type Client, createClient, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { AuthService, MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import {
  type KeyRecord,
  keyFromProto,
  type MemberRecord,
  memberFromProto,
  type TeamRecord,
  teamFromProto,
} from './admin-records.ts';
import { type AnalyticsMethods, analyticsMethods } from './analytics-methods.ts';
import { type ContentAdmin, contentMethods } from './content-admin.ts';
import { everyPage, given, translated } from './rpc-answer.ts';

/** Administrative calls touch a few rows; what takes longer has failed. */
const defaultTimeoutMs = 10_000;
/** Ten decisions with bodies of 1 MiB, twice over for what JSON escapes; a page of 200 keys has some 40 KiB. */
const maxAnswerBytes = 24 * 1024 * 1024;
/** The most that the service gives at once. */
const keysPerPage = 200;

export interface AdminClientOptions {
  /** Address of the RPC listener, such as `http://127.0.0.1:7100`: h2c, or TLS for https. */
  rpcUrl: string;
  /** Administrator's token. */
  token: string;
  /** Deadline of each call; default 10,000. */
  timeoutMs?: number;
}

export interface AdminCallOptions {
  signal?: AbortSignal;
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

/** Administration of teams, members, keys, decisions, projects and scores. Every method throws RpcError. */
export interface AdminClient extends AnalyticsMethods, ContentAdmin {
  createTeam(team: { slug: string; name: string }, options?: AdminCallOptions): Promise<TeamRecord>;
  addMember(
    member: { team: string; handle: string; role: 'admin' | 'member' },
    options?: AdminCallOptions,
  ): Promise<MemberRecord>;
  /** Makes a key. The answer is the only place where `key`, the whole key, is ever shown. */
  createKey(key: NewKey, options?: AdminCallOptions): Promise<KeyRecord & { key: string }>;
  /** Revokes a key; success also when it was revoked before. */
  revokeKey(keyId: string, options?: AdminCallOptions): Promise<KeyRecord>;
  /** Yields the keys of a team page by page, oldest first, without their secrets. */
  listKeys(team: string, options?: AdminCallOptions): AsyncGenerator<KeyRecord[]>;
  /** Closes the connection, which would otherwise keep the process running. */
  close(): void;
}

/** Makes an administrator's client over Connect on HTTP/2. Throws TypeError for a bad address or token. */
export function createAdminClient({ rpcUrl, token, timeoutMs }: AdminClientOptions): AdminClient {
  // A header with a control character would be quoted, token and all, in the error it causes.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError('The admin token has characters that no token has.');
  const sessionManager = new Http2SessionManager(rpcUrl);
  const authorize: Interceptor = (next) => (request) => {
    request.header.set('authorization', `Bearer ${token}`);
    return next(request);
  };
  const transport = createConnectTransport({
    baseUrl: rpcUrl,
    httpVersion: '2',
    sessionManager,
    // Compressing a few hundred bytes costs more than it saves.
    acceptCompression: [],
    defaultTimeoutMs: timeoutMs ?? defaultTimeoutMs,
    readMaxBytes: maxAnswerBytes,
    interceptors: [authorize],
  });
  const auth = createClient(AuthService, transport);
  return {
    ...authMethods(auth),
    ...analyticsMethods(auth, createClient(AnalyticsService, transport)),
    ...contentMethods(auth, createClient(ContentService, transport)),
    close: () => sessionManager.abort(),
  };
}

function authMethods(
  auth: Client<typeof AuthService>,
): Omit<AdminClient, 'close' | keyof AnalyticsMethods | keyof ContentAdmin> {
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
