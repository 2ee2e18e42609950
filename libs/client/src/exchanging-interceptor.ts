import { timestampMs } from '@bufbuild/protobuf/wkt';
import { type Client, Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';

/** A token is replaced when it has less than this left, so that it outlives the call it is sent with. */
const tokenReserveMs = 15_000;

interface KnownToken {
  token: Promise<string>;
  /** Without end while the exchange is under way. */
  untilMs: number;
}

/**
 * Exchanges a key or a service credential for the tokens of calls, one for each
 * service, and sends them along. A token is kept until shortly before it
 * expires; calls that need one at the same time share the exchange. A call whose
 * token is refused, as where the clocks of the two machines differ, is repeated
 * once with a new one.
 *
 * `auth` gives a client for the exchanges; these pass through here untouched, so
 * it may use the same connection.
 */
export function exchangingInterceptor(
  credential: string,
  auth: () => Client<typeof AuthService>,
): Interceptor {
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
    // A failure is nothing to keep: the next call tries again.
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
      // What a stream has sent already cannot be sent again.
      if (request.stream || ConnectError.from(thrown).code !== Code.Unauthenticated) throw thrown;
      return send(await exchange(audience));
    }
  };
}
