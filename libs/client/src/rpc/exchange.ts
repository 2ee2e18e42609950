import { timestampMs } from '@bufbuild/protobuf/wkt';
import { type Client, Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';

/** A token with less time left than this is replaced, so that it outlives the call it is sent with. */
const tokenReserveMs = 15_000;

interface KnownToken {
  token: Promise<string>;
  /** Infinite while the exchange is under way. */
  untilMs: number;
}

/**
 * Exchanges a key, or an operator's token, for one token per service, and sends the token with each call. A token is kept until shortly before
 * it expires, and calls that need it at the same time share the exchange. A call whose token is refused, for example
 * because the clocks of the two machines differ, is repeated once with a new token.
 *
 * `auth` returns a client for the exchanges. It may use the same connection: exchanges pass through unchanged.
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
