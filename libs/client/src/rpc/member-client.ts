import { timestampMs } from '@bufbuild/protobuf/wkt';
import { type Client, Code, ConnectError, createClient, type Interceptor } from '@connectrpc/connect';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { type DecisionMethods, decisionMethods } from './decisions.ts';
import { type ProjectMethods, projectMethods } from './projects.ts';
import { createRpcConnection, type RpcConnectionOptions } from './rpc-calls.ts';
import { type WebhookMethods, webhookMethods } from './webhooks.ts';

export interface MemberClientOptions extends RpcConnectionOptions {
  /** The whole key, `tms_<key_id>_<secret>`. */
  key: string;
}

/** What members do over RPC that the public API does not offer. The key names the member and the team. */
export interface MemberClient {
  /** The decisions of the key's team. Writing them takes a key of tier team. */
  decisions: DecisionMethods;
  /** The created projects of that team. Only keys of tier team may use them. */
  projects: ProjectMethods;
  /** The webhooks of that team. Only its administrators may use them. */
  webhooks: WebhookMethods;
  /** Closes the connection, which would otherwise keep the process running. */
  close(): void;
}

/** Makes a member's client over Connect on HTTP/2. Throws TypeError for a bad address. */
export function createMemberClient({ key, ...options }: MemberClientOptions): MemberClient {
  const connection = createRpcConnection(
    options,
    exchangingInterceptor(key, () => auth),
  );
  const auth: Client<typeof AuthService> = createClient(AuthService, connection.transport);
  const content = createClient(ContentService, connection.transport);
  return {
    decisions: decisionMethods(content, async () => ''),
    projects: projectMethods(content, async () => ''),
    webhooks: webhookMethods(content, async () => ({ teamId: '', teamSlug: '' })),
    close: connection.close,
  };
}

/** A token with less time left than this is replaced, so that it outlives the call it is sent with. */
const tokenReserveMs = 15_000;

interface KnownToken {
  token: Promise<string>;
  /** Infinite while the exchange is under way. */
  untilMs: number;
}

/**
 * Exchanges a key for one token per service, and sends the token with each call. A token is kept until shortly before
 * it expires, and calls that need it at the same time share the exchange. A call whose token is refused, for example
 * because the clocks of the two machines differ, is repeated once with a new token.
 *
 * `auth` returns a client for the exchanges. It may use the same connection: exchanges pass through unchanged.
 */
function exchangingInterceptor(credential: string, auth: () => Client<typeof AuthService>): Interceptor {
  const known = new Map<string, KnownToken>();

  function exchange(audience: string): Promise<string> {
    const fresh: KnownToken = {
      untilMs: Number.POSITIVE_INFINITY,
      token: auth()
        .exchangeCredential({ credential, audience })
        .then(({ token, expiresAt }) => {
          fresh.untilMs = expiresAt === undefined ? 0 : timestampMs(expiresAt) - tokenReserveMs;
          return token;
        }),
    };
    known.set(audience, fresh);
    // A failed exchange is not kept: the next call tries again.
    fresh.token.catch(() => known.delete(audience));
    return fresh.token;
  }

  function tokenFor(audience: string): Promise<string> {
    const kept = known.get(audience);
    return kept !== undefined && kept.untilMs > Date.now() ? kept.token : exchange(audience);
  }

  return (next) => async (request) => {
    if (request.method === AuthService.method.exchangeCredential) return next(request);
    const audience = request.service.typeName.split('.')[1] ?? '';
    const send = (token: string) => {
      request.header.set('authorization', `Bearer ${token}`);
      return next(request);
    };
    const token = await tokenFor(audience);
    try {
      return await send(token);
    } catch (thrown) {
      // The messages that a stream has sent cannot be sent again.
      if (request.stream || ConnectError.from(thrown).code !== Code.Unauthenticated) throw thrown;
      return send(await exchange(audience));
    }
  };
}
