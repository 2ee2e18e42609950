import * as oidc from 'openid-client';

/** How long one call of the provider may take. */
const callTimeoutSeconds = 10;
/** How long what the provider says about itself is kept; it changes with its configuration, if ever. */
const metadataLifetimeMs = 60 * 60 * 1000;

/** How this service is known to the organisation's identity provider. */
export interface OidcOptions {
  /** Address of the provider, as its tokens name it. */
  issuer: string;
  clientId: string;
  /** Undefined for a public client. */
  clientSecret: string | undefined;
  /** Where the provider sends browsers back to, as it is registered there. */
  redirectUrl: string;
}

/** Why a sign-in failed; the sign-in page has a sentence for each. */
export type SignInRefusal =
  | 'cancelled'
  | 'expired'
  | 'no_team'
  | 'provider_unavailable'
  | 'refused'
  | 'unavailable'
  | 'unknown_address'
  | 'unverified_address';

/** A sign-in that failed. The message is for the log; it has no token and no address. */
export class SignInError extends Error {
  readonly reason: SignInRefusal;

  constructor(reason: SignInRefusal, message: string) {
    super(message);
    this.name = 'SignInError';
    this.reason = reason;
  }
}

/** What only the browser that began a sign-in has, and what its end is checked against. */
export interface SignInChecks {
  state: string;
  nonce: string;
  /** The secret of PKCE, without which a stolen code is worth nothing. */
  codeVerifier: string;
}

/** The organisation's identity provider. Every method throws SignInError. */
export interface OidcClient {
  /** Returns where the browser signs in. */
  begin(): Promise<{ url: string; checks: SignInChecks }>;
  /** Exchanges the query that the provider sent the browser back with for the person's verified mail address. */
  complete(query: URLSearchParams, checks: SignInChecks): Promise<string>;
}

/** Creates a client of the provider, which is first asked when somebody signs in: it may start later than this. */
export function createOidcClient({
  issuer,
  clientId,
  clientSecret,
  redirectUrl,
  monotonicClock,
  timeoutSeconds = callTimeoutSeconds,
}: OidcOptions & { monotonicClock: () => number; timeoutSeconds?: number }): OidcClient {
  let discovered: { configuration: Promise<oidc.Configuration>; untilMs: number } | undefined;

  function configuration(): Promise<oidc.Configuration> {
    const now = monotonicClock();
    if (discovered === undefined || now >= discovered.untilMs) {
      const asked = oidc.discovery(new URL(issuer), clientId, undefined, clientAuthentication(clientSecret), {
        timeout: timeoutSeconds,
        // Settings allow plain HTTP on this machine only.
        execute: issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [],
      });
      const entry = { configuration: asked, untilMs: now + metadataLifetimeMs };
      discovered = entry;
      asked.catch(() => {
        if (discovered === entry) discovered = undefined;
      });
    }
    return discovered.configuration;
  }

  return {
    async begin() {
      const checks = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        codeVerifier: oidc.randomPKCECodeVerifier(),
      };
      const known = await translated(configuration());
      const url = oidc.buildAuthorizationUrl(known, {
        redirect_uri: redirectUrl,
        scope: 'openid email',
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(checks.codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, checks };
    },

    async complete(query, { state, nonce, codeVerifier }) {
      const known = await translated(configuration());
      const returned = new URL(redirectUrl);
      returned.search = query.toString();
      const tokens = await translated(
        oidc.authorizationCodeGrant(known, returned, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        }),
      );
      const claims = tokens.claims();
      if (claims === undefined) throw new SignInError('refused', 'The provider sent no ID token.');
      // The provider may put the address into the ID token or tell it only when asked.
      const isTold = claims.email !== undefined || known.serverMetadata().userinfo_endpoint === undefined;
      return verifiedAddress(
        isTold ? claims : await translated(oidc.fetchUserInfo(known, tokens.access_token, claims.sub)),
      );
    },
  };
}

function verifiedAddress({ email, email_verified: isVerified }: Record<string, unknown>): string {
  if (typeof email === 'string' && isVerified === true) return email;
  throw new SignInError('unverified_address', 'The provider did not say that it has verified an address.');
}

/** The way that the provider takes secrets: in the header, which every one must take, unless it says otherwise. */
function clientAuthentication(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  const [inHeader, inBody] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_basic') ? inHeader : inBody;
    return authenticate(server, client, body, headers);
  };
}

async function translated<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    throw new SignInError(reasonOf(error), (error as Error).message);
  }
}

/** The library wraps what `fetch` throws for an outage or a deadline. */
function reasonOf(error: unknown): SignInRefusal {
  if (error instanceof oidc.AuthorizationResponseError) {
    return error.error === 'access_denied' ? 'cancelled' : 'refused';
  }
  const { code, cause, status } = error as { code?: string; cause?: unknown; status?: number };
  const isOutage = code === 'OAUTH_TIMEOUT' || isNetworkError(error) || isNetworkError(cause);
  if (isOutage || (status !== undefined && status >= 500)) return 'provider_unavailable';
  if (cause instanceof Response && cause.status >= 500) return 'provider_unavailable';
  return 'refused';
}

function isNetworkError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ['TimeoutError', 'AbortError'].includes(error.name) || error.message === 'fetch failed';
}
