import { hash, timingSafeEqual } from 'node:crypto';
import type { RollingWindow } from '@teammemory/admission/rolling-window.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import { type Access, accesses } from '@teammemory/vocabulary/access.ts';
import type { AuthenticateDependencies } from './authentication.ts';
import { createKeyText, findProven, hashSecret, type KeyPrefix } from './key-text.ts';
import { isActive, type Key, type Keys, type KeyTier } from './keys.ts';

/** How long a code is good: an app exchanges it at once. */
const codeLifetimeMs = 60 * 1000;
/** How long an access token is good. */
const accessTokenLifetimeMs = 60 * 60 * 1000;
/** How long a refresh token may be used again: by an app that did not get the answer, or has two processes. */
const reuseGraceMs = 30 * 1000;
/** Tokens of one kind that an app has. Of refresh tokens those are kept that were used, to know them again. */
export const maxTokensOfKind = 64;

/** What a token is good for, and what its text begins with. */
const prefixes = { access: 'tmsa', code: 'tmsc', refresh: 'tmsr' } as const satisfies Record<
  string,
  KeyPrefix
>;

/** A code, an access token or a refresh token of an app, without its secret. It stands for the key of the app. */
export interface AppToken {
  /** 16 characters of [0-9A-Za-z], unique everywhere. */
  tokenId: string;
  kind: keyof typeof prefixes;
  teamId: string;
  keyId: string;
  /** The URL at which, and below which, access tokens are good. */
  resource: string;
  /** Of a code: where it was sent to, and the challenge of PKCE; else null. */
  redirectUri: string | null;
  codeChallenge: string | null;
  /** This and the other times: milliseconds since the epoch. */
  createdAt: number;
  expiresAt: number;
  /** When a code or a refresh token was first used; null: it was not. */
  usedAt: number | null;
}

/** A token and the hash of its secret, 64 lower-case hex digits. */
export interface StoredAppToken {
  token: AppToken;
  secretHash: string;
}

/** Stores tokens of apps until they have expired. Every method may also throw AppError `unavailable`. */
export interface AppTokenStore {
  /**
   * Stores a new token durably, then removes the oldest tokens of its key and kind beyond `maxOfKind`, and some tokens of any
   * team that had expired when it was made. Throws AppError `already_exists` if its id is taken.
   */
  create(teamId: string, stored: StoredAppToken, maxOfKind: number): Promise<void>;
  /** The only look-up without a team, because the token determines the team. */
  findById(tokenId: string): Promise<StoredAppToken | undefined>;
  /**
   * Notes durably that a token is used at `at`. Returns when it was used before; null for exactly one of those who use it,
   * even at the same time; undefined if the team has no such token.
   */
  use(teamId: string, tokenId: string, at: number): Promise<number | null | undefined>;
}

/** What a member lets an app do. */
export interface WantedApp {
  /** The member, and the key of the call. */
  owner: {
    teamId: string;
    teamSlug: string;
    memberId: string;
    memberHandle: string;
    keyId: string;
    tier: KeyTier;
    access: Access;
  };
  clientId: string;
  redirectUri: string;
  codeChallenge: string;
  resource: string;
  access: Access;
  lifetimeMs: number;
}

/** What an app exchanges for tokens. */
export type AppGrant =
  | { kind: 'code'; text: string; redirectUri: string; codeVerifier: string }
  | { kind: 'refresh'; text: string };

/** Tokens that exist only here, and the key that they stand for. */
export interface IssuedTokens {
  key: Key;
  accessToken: string;
  /** When the access token expires: milliseconds since the epoch. */
  expiresAt: number;
  refreshToken: string;
}

/** The use cases of apps that act for a member. A refused text throws AppError `invalid_key`, the same for every reason. */
export interface Apps {
  /**
   * Makes the key of an app, of the owner's tier, and a code for it. Throws AppError `forbidden_access` for more than the
   * owner's access, and what making a key of one's own throws.
   */
  connect(wanted: WantedApp): Promise<{ key: Key; code: string }>;
  /**
   * Exchanges a code or a refresh token of this app for tokens for this resource (undefined: that of the code). Calls
   * `onReuse` with the app's key, to revoke it, where one is used again. Throws AppError `rate_limited`.
   */
  issue(
    app: { clientId: string; resource: string | undefined },
    grant: AppGrant,
    onReuse: (key: Key) => Promise<unknown>,
  ): Promise<IssuedTokens>;
  /** The key that an access token stands for at a resource, and when the token expires. */
  authenticate(text: string, resource: string): Promise<{ key: Key; expiresAt: number }>;
  /** The key that an access or refresh token of this app stands for, whether it is valid or not; undefined if none does. */
  find(clientId: string, text: string): Promise<Key | undefined>;
}

export interface AppsDependencies {
  tokens: AppTokenStore;
  keys: Pick<Keys, 'createOwn'>;
  /** Finds keys, notes their last use and says what time it is. */
  authentication: AuthenticateDependencies;
  /** Asked about proven tokens only: then nobody uses up the exchanges of others. */
  exchanges: Pick<RollingWindow, 'take'>;
  /** Unbiased and unpredictable: a whole number from 0 to bound - 1. */
  randomInt: (bound: number) => number;
}

/** Creates the use cases of apps. */
export function createApps({ tokens, keys, authentication, exchanges, randomInt }: AppsDependencies): Apps {
  const { clock } = authentication;

  /** The token that a text proves, and the key of its app. */
  async function proven(kind: AppToken['kind'], text: string) {
    const token = (await findProven(prefixes[kind], text, (id) => tokens.findById(id)))?.token;
    const key = token && (await authentication.store.findById(token.keyId))?.key;
    return token && key?.app ? { token, key, app: key.app } : undefined;
  }

  async function make(
    kind: AppToken['kind'],
    fields: Pick<AppToken, 'teamId' | 'keyId' | 'resource' | 'expiresAt'> & Partial<AppToken>,
  ): Promise<string> {
    const { text, keyId: tokenId, secret } = createKeyText(prefixes[kind], randomInt);
    const token: AppToken = {
      redirectUri: null,
      codeChallenge: null,
      ...fields,
      tokenId,
      kind,
      createdAt: clock(),
      usedAt: null,
    };
    await tokens.create(token.teamId, { token, secretHash: hashSecret(secret) }, maxTokensOfKind);
    return text;
  }

  return {
    async connect({ owner, clientId, redirectUri, codeChallenge, resource, access, lifetimeMs }) {
      if (accesses.indexOf(access) > accesses.indexOf(owner.access)) {
        throw new AppError('forbidden_access', 'An app may do at most what your own key may.');
      }
      const { teamId, teamSlug: slug, memberId, memberHandle: handle, keyId: makerKeyId, tier } = owner;
      const own = (await authentication.store.findById(makerKeyId))?.key;
      // What was handed to somebody for a time gives nothing for longer; a sign-in's key is of the member alone.
      const latest = own?.isForSignIn ? null : own?.expiresAt;
      const wanted = {
        team: { teamId, slug },
        member: { memberId, handle },
        tier,
        access,
        expiresAt: Math.min(clock() + lifetimeMs, latest ?? Number.POSITIVE_INFINITY),
        app: { clientId, makerKeyId },
      };
      const { key } = await keys.createOwn(wanted, makerKeyId);
      const expiresAt = clock() + codeLifetimeMs;
      const { keyId } = key;
      const code = await make('code', { teamId, keyId, resource, redirectUri, codeChallenge, expiresAt });
      return { key, code };
    },

    async issue({ clientId, resource: wanted }, grant, onReuse) {
      const found = await proven(grant.kind, grant.text);
      if (found === undefined || found.app.clientId !== clientId) throw invalidGrant();
      const { token, key } = found;
      const now = clock();
      // Somebody else may have one of the app's secrets.
      const endReused = async () => {
        await onReuse(key);
        throw invalidGrant();
      };
      // A code that was used is answered by ending the app, also when it has expired or comes without its proofs.
      if (grant.kind === 'code' && token.usedAt !== null) return endReused();
      if (!isActive(key, now) || token.expiresAt <= now) throw invalidGrant();
      if (wanted !== undefined && wanted !== token.resource) throw invalidGrant();
      if (grant.kind === 'code' && !isForCode(token, grant)) throw invalidGrant();
      if (exchanges.take(key.keyId) > 0) throw tooManyExchanges();
      const usedBefore = await tokens.use(token.teamId, token.tokenId, now);
      if (usedBefore === undefined) throw invalidGrant();
      const graceMs = grant.kind === 'refresh' ? reuseGraceMs : 0;
      if (usedBefore !== null && now - usedBefore >= graceMs) return endReused();
      const { teamId, keyId, resource } = token;
      const endsAt = key.expiresAt ?? now;
      const expiresAt = Math.min(now + accessTokenLifetimeMs, endsAt);
      const accessToken = await make('access', { teamId, keyId, resource, expiresAt });
      const refreshToken = await make('refresh', { teamId, keyId, resource, expiresAt: endsAt });
      return { key, accessToken, expiresAt, refreshToken };
    },

    async authenticate(text, resource) {
      const found = await proven('access', text);
      const now = clock();
      if (found === undefined || !isActive(found.key, now)) throw endedToken();
      const { token, key } = found;
      if (token.expiresAt <= now || !isAtOrBelow(resource, token.resource)) throw endedToken();
      authentication.lastUse.record(key, now);
      return { key, expiresAt: token.expiresAt };
    },

    async find(clientId, text) {
      const found = (await proven('access', text)) ?? (await proven('refresh', text));
      return found?.app.clientId === clientId ? found.key : undefined;
    },
  };
}

/** Whether a grant has what the code was made with: the same address, and the secret of its challenge. */
function isForCode(
  { redirectUri, codeChallenge }: AppToken,
  { redirectUri: given, codeVerifier }: { redirectUri: string; codeVerifier: string },
): boolean {
  const challenge = hash('sha256', codeVerifier, 'base64url');
  const expected = Buffer.from(codeChallenge ?? '');
  if (redirectUri !== given || expected.length !== challenge.length) return false;
  return timingSafeEqual(Buffer.from(challenge), expected);
}

/** Whether a URL is that of a resource, or of one below it. */
function isAtOrBelow(url: string, resource: string): boolean {
  return url === resource || url.startsWith(`${resource}/`);
}

function invalidGrant(): AppError {
  return new AppError(
    'invalid_key',
    'The code or refresh token was used already, has expired or is not valid.',
  );
}

function endedToken(): AppError {
  return new AppError('invalid_key', 'The access token has expired or is not valid.');
}

function tooManyExchanges(): AppError {
  return new AppError('rate_limited', 'An app can ask for tokens 60 times within 60 seconds.');
}
