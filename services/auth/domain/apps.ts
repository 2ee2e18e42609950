import { hash, timingSafeEqual } from 'node:crypto';
import type { RollingWindow } from '@teammemory/admission/rolling-window.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import { type Access, accesses } from '@teammemory/vocabulary/access.ts';
import type { AuthenticateDependencies } from './authentication.ts';
import {
  createKeyText,
  findProven,
  hashSecret,
  type KeyPrefix,
  parseKeyText,
  secretMatches,
} from './key-text.ts';
import { isInForce, type Key, type KeyStore, type Keys, type KeyTier } from './keys.ts';

/** How long a code is good: an app exchanges it at once. */
const codeLifetimeMs = 60 * 1000;
/** How long an access token is good. */
const accessTokenLifetimeMs = 60 * 60 * 1000;
/** How long a refresh token may be used once more: by an app that did not get the answer. */
const retryWithinMs = 30 * 1000;
/** Access tokens that an app has. */
const maxAccessTokens = 64;

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
  /** Of a code: when the app that exchanges it ends; else null. */
  appEndsAt: number | null;
  /** When a code was first used, or a refresh token got its present secret; null: never. */
  usedAt: number | null;
}

/** A token and the hashes of its secrets, 64 lower-case hex digits. */
export interface StoredAppToken {
  token: AppToken;
  secretHash: string;
  /** Of a refresh token: the secret before, while that may be used once more; else null. */
  previousHash: string | null;
}

/** Stores tokens of apps until they have expired. Every method may also throw AppError `unavailable`. */
export interface AppTokenStore {
  /**
   * Stores a new token durably, then removes the oldest tokens of its key and kind beyond `maxOfKind`, and some tokens of any
   * team that had expired when it was made. Throws AppError `already_exists` if its id is taken.
   */
  create(teamId: string, stored: Omit<StoredAppToken, 'previousHash'>, maxOfKind: number): Promise<void>;
  /** The only look-up without a team, because the token determines the team. */
  findById(tokenId: string): Promise<StoredAppToken | undefined>;
  /**
   * Notes durably that a code is used at `at`, and lets it expire at `keptUntil`. Returns when it was used before; null for
   * exactly one of those who use it, even at the same time; undefined if the team has no such token.
   */
  use(
    teamId: string,
    tokenId: string,
    how: { at: number; keptUntil: number },
  ): Promise<number | null | undefined>;
  /**
   * Gives a token another secret durably, if it still has that of `secretHash`. True for exactly one of those who replace
   * the same secret, even at the same time.
   */
  replaceSecret(
    teamId: string,
    { tokenId, secretHash }: { tokenId: string; secretHash: string },
    next: Pick<StoredAppToken, 'secretHash' | 'previousHash'> & { usedAt: number | null },
  ): Promise<boolean>;
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

/** Called with the key of an app before one of its secrets is answered that was used before. */
export interface SecondUse {
  /** Somebody else may have it: revokes the key. */
  onReuse: (key: Key) => Promise<unknown>;
  /** The app may have lost the answer: notes that it gets another one. */
  onRetry: (key: Key) => Promise<unknown>;
}

/** The use cases of apps that act for a member. A refused text throws AppError `invalid_key`, the same for every reason. */
export interface Apps {
  /**
   * Makes the key of an app, of the owner's tier, and a code for it. The key expires with the code; once that is exchanged,
   * at `endsAt`. Throws AppError `forbidden_access` for more than the owner's access, and what making a key of one's own
   * throws.
   */
  connect(wanted: WantedApp): Promise<{ key: Key; code: string; endsAt: number }>;
  /**
   * Exchanges a code or a refresh token of this app for tokens for this resource (undefined: that of the code). Throws
   * AppError `rate_limited`.
   */
  issue(
    app: { clientId: string; resource: string | undefined },
    grant: AppGrant,
    second: SecondUse,
  ): Promise<IssuedTokens>;
  /** The key that an access token stands for at a resource, and when the token expires. */
  authenticate(text: string, resource: string): Promise<{ key: Key; expiresAt: number }>;
  /** The key that an access or refresh token of this app stands for, whether it is valid or not; undefined if none does. */
  find(clientId: string, text: string): Promise<Key | undefined>;
}

export interface AppsDependencies {
  tokens: AppTokenStore;
  keys: Pick<Keys, 'createOwn'>;
  keyStore: Pick<KeyStore, 'setEndOfApp'>;
  /** Finds keys, notes their last use and says what time it is. */
  authentication: AuthenticateDependencies;
  /** Asked about proven tokens only: then nobody uses up the exchanges of others. */
  exchanges: Pick<RollingWindow, 'take'>;
  /** Unbiased and unpredictable: a whole number from 0 to bound - 1. */
  randomInt: (bound: number) => number;
}

/** Creates the use cases of apps. */
export function createApps(dependencies: AppsDependencies): Apps {
  const { tokens, keys, keyStore, authentication, exchanges, randomInt } = dependencies;
  const { clock, store } = authentication;

  async function withKey<Stored extends { token: AppToken }>(stored: Stored | undefined) {
    const key = stored && (await store.findById(stored.token.keyId))?.key;
    return stored && key?.app ? { ...stored, key, app: key.app } : undefined;
  }

  /** The token that a text proves, and the key of its app. */
  const proven = async (kind: 'access' | 'code', text: string) =>
    withKey(await findProven(prefixes[kind], text, (id) => tokens.findById(id)));

  /**
   * The refresh token that a text was ever one of, and its key. An app has one, whose secret each use replaces: whoever
   * knows its id with another secret has an old one.
   */
  async function refreshTokenOf(text: string) {
    const parts = parseKeyText(prefixes.refresh, text);
    const found = parts && (await withKey(await tokens.findById(parts.keyId)));
    return found?.token.kind === 'refresh' ? { ...found, secret: parts?.secret ?? '' } : undefined;
  }

  async function make(
    kind: AppToken['kind'],
    fields: Pick<AppToken, 'teamId' | 'keyId' | 'resource' | 'expiresAt'> & Partial<AppToken>,
  ): Promise<string> {
    const { text, keyId: tokenId, secret } = createKeyText(prefixes[kind], randomInt);
    const token: AppToken = {
      redirectUri: null,
      codeChallenge: null,
      appEndsAt: null,
      ...fields,
      tokenId,
      kind,
      createdAt: clock(),
      usedAt: null,
    };
    await tokens.create(token.teamId, { token, secretHash: hashSecret(secret) }, maxAccessTokens);
    return text;
  }

  async function accessTokenOf({ teamId, keyId, resource }: AppToken, endsAt: number) {
    const expiresAt = Math.min(clock() + accessTokenLifetimeMs, endsAt);
    return { accessToken: await make('access', { teamId, keyId, resource, expiresAt }), expiresAt };
  }

  /** Throws unless the app of a token may have tokens for a resource now. */
  async function checkIssue({ token, key }: { token: AppToken; key: Key }, wanted: string | undefined) {
    const now = clock();
    if (token.expiresAt <= now || !(await isInForce(store, key, now))) throw invalidGrant();
    if (wanted !== undefined && wanted !== token.resource) throw invalidGrant();
  }

  async function exchangeCode(
    { clientId, resource }: Parameters<Apps['issue']>[0],
    grant: AppGrant & { kind: 'code' },
    { onReuse }: SecondUse,
  ): Promise<IssuedTokens> {
    const found = await proven('code', grant.text);
    if (found === undefined || found.app.clientId !== clientId) throw invalidGrant();
    const { token, key } = found;
    const endReused = async () => {
      await onReuse(key);
      throw invalidGrant();
    };
    // Also when it comes without its proofs. It is kept for as long as the app lives.
    if (token.usedAt !== null) return endReused();
    await checkIssue(found, resource);
    if (!isForCode(token, grant)) throw invalidGrant();
    if (exchanges.take(key.keyId) > 0) throw tooManyExchanges();
    const endsAt = token.appEndsAt ?? token.expiresAt;
    const { teamId, tokenId, keyId } = token;
    const usedBefore = await tokens.use(teamId, tokenId, { at: clock(), keptUntil: endsAt });
    if (usedBefore === undefined) throw invalidGrant();
    if (usedBefore !== null) return endReused();
    const connected = await keyStore.setEndOfApp(teamId, keyId, endsAt);
    if (connected === undefined) throw invalidGrant();
    const { accessToken, expiresAt } = await accessTokenOf(token, endsAt);
    const refreshToken = await make('refresh', {
      teamId,
      keyId,
      resource: token.resource,
      expiresAt: endsAt,
    });
    return { key: connected, accessToken, expiresAt, refreshToken };
  }

  async function refresh(
    { clientId, resource }: Parameters<Apps['issue']>[0],
    { text }: AppGrant & { kind: 'refresh' },
    second: SecondUse,
  ): Promise<IssuedTokens> {
    const found = await refreshTokenOf(text);
    if (found === undefined || found.app.clientId !== clientId) throw invalidGrant();
    const { token, key, secret, secretHash, previousHash } = found;
    const now = clock();
    const isFirst = secretMatches(secret, secretHash);
    const isRetry =
      !isFirst &&
      secretMatches(secret, previousHash ?? undefined) &&
      now - (token.usedAt ?? now) < retryWithinMs;
    if (!isFirst && !isRetry) {
      await second.onReuse(key);
      throw invalidGrant();
    }
    await checkIssue(found, resource);
    if (exchanges.take(key.keyId) > 0) throw tooManyExchanges();
    if (isRetry) await second.onRetry(key);
    const { teamId, tokenId } = token;
    const next = createKeyText(prefixes.refresh, randomInt, tokenId);
    const isReplaced = await tokens.replaceSecret(
      teamId,
      { tokenId, secretHash },
      {
        secretHash: hashSecret(next.secret),
        // The answer that was lost is worth nothing any more, and the next use of this text ends the app.
        previousHash: isRetry ? null : secretHash,
        usedAt: isRetry ? token.usedAt : now,
      },
    );
    // Somebody else was faster: what this text is worth now is seen anew. It is worth less each time.
    if (!isReplaced) return refresh({ clientId, resource }, { kind: 'refresh', text }, second);
    return { key, ...(await accessTokenOf(token, token.expiresAt)), refreshToken: next.text };
  }

  return {
    async connect({ owner, clientId, redirectUri, codeChallenge, resource, access, lifetimeMs }) {
      if (accesses.indexOf(access) > accesses.indexOf(owner.access)) {
        throw new AppError('forbidden_access', 'An app may do at most what your own key may.');
      }
      const { teamId, teamSlug: slug, memberId, memberHandle: handle, keyId: makerKeyId, tier } = owner;
      const own = (await store.findById(makerKeyId))?.key;
      // What was handed to somebody for a time gives nothing for longer; a sign-in's key is of the member alone.
      const latest = (own?.isForSignIn ? null : own?.expiresAt) ?? Number.POSITIVE_INFINITY;
      const endsAt = Math.min(clock() + lifetimeMs, latest);
      const expiresAt = Math.min(clock() + codeLifetimeMs, endsAt);
      const wanted = {
        team: { teamId, slug },
        member: { memberId, handle },
        tier,
        access,
        expiresAt,
        app: { clientId, makerKeyId },
      };
      const { key } = await keys.createOwn(wanted, makerKeyId);
      const { keyId } = key;
      const code = await make('code', {
        teamId,
        keyId,
        resource,
        redirectUri,
        codeChallenge,
        expiresAt,
        appEndsAt: endsAt,
      });
      return { key, code, endsAt };
    },

    issue: (app, grant, second) =>
      grant.kind === 'code' ? exchangeCode(app, grant, second) : refresh(app, grant, second),

    async authenticate(text, resource) {
      const found = await proven('access', text);
      const now = clock();
      if (found === undefined || !(await isInForce(store, found.key, now))) throw endedToken();
      const { token, key } = found;
      if (token.expiresAt <= now || !isAtOrBelow(resource, token.resource)) throw endedToken();
      authentication.lastUse.record(key, now);
      return { key, expiresAt: token.expiresAt };
    },

    async find(clientId, text) {
      const found = (await proven('access', text)) ?? (await refreshTokenOf(text));
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
