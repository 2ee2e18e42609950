import { AppError } from '@teammemory/errors/app-error.ts';
import { type AuthenticateDependencies, authenticate } from './authentication.ts';
import { createKeyText, findProven, hashSecret } from './key-text.ts';
import { isActive, type Key, type KeyTier } from './keys.ts';

/** How long a sign-in link is valid: enough for a browser to start. */
const signInLinkLifetimeMs = 2 * 60 * 1000;
/** Unused links of one key. Whoever makes more is a script, and only the newest are of use. */
const maxSignInLinks = 20;
/** How long a session lives at most: a working day, so that a forgotten browser is signed out by the next. */
export const sessionLifetimeMs = 12 * 60 * 60 * 1000;
/** Sessions of one key: more than the gateway opens in a minute, so that a new one never ends one that was just opened. */
export const maxSessions = 64;

/** A link that signs a browser in once, without its secret. It stands for the key it was made with. */
export interface SignInLink {
  /** 16 characters of [0-9A-Za-z], unique everywhere. */
  linkId: string;
  teamId: string;
  keyId: string;
  /** This and the other times: milliseconds since the epoch. */
  createdAt: number;
  expiresAt: number;
}

/** What a signed-in browser holds, without its secret. It is valid only as long as its key. */
export interface Session {
  /** 16 characters of [0-9A-Za-z], unique everywhere. */
  sessionId: string;
  teamId: string;
  keyId: string;
  memberId: string;
  /** The tier of the key. */
  tier: KeyTier;
  createdAt: number;
  expiresAt: number;
}

/** A sign-in link and the hash of its secret, 64 lower-case hex digits. */
export interface StoredSignInLink {
  link: SignInLink;
  secretHash: string;
}

/** A session and the hash of its secret, 64 lower-case hex digits. */
export interface StoredSession {
  session: Session;
  secretHash: string;
}

/**
 * Stores sign-in links until they are used or have expired. Every method may also throw AppError `unavailable`.
 */
export interface SignInLinkStore {
  /**
   * Stores a new link durably, then removes the oldest links of its key beyond `maxOfKey`, and some links of any team that
   * had expired when it was made. Throws AppError `already_exists` if its id is taken.
   */
  create(teamId: string, stored: StoredSignInLink, maxOfKey: number): Promise<void>;
  /** The only look-up without a team, because the link determines the team. */
  findById(linkId: string): Promise<StoredSignInLink | undefined>;
  /** Removes a link durably; true for exactly one of those who take it, even at the same time. */
  take(teamId: string, linkId: string): Promise<boolean>;
}

/** Stores sessions until they end or have expired. Every method may also throw AppError `unavailable`. */
export interface SessionStore {
  /**
   * Stores a new session durably, then removes the oldest sessions of its key beyond `maxOfKey`, and some sessions
   of any team that had expired when it was opened. Throws AppError `already_exists` if its id is taken.
   */
  create(teamId: string, stored: StoredSession, maxOfKey: number): Promise<void>;
  /** The only look-up without a team, because the session determines the team. */
  findById(sessionId: string): Promise<StoredSession | undefined>;
  /** Removes a session durably, if the team has it. */
  remove(teamId: string, sessionId: string): Promise<void>;
  /** Removes durably the sessions of a member with keys of these tiers; returns how many had not expired at `at`. */
  removeOfMember(teamId: string, memberId: string, tiers: readonly KeyTier[], at: number): Promise<number>;
}

/** Whose sessions, and with which key: from a caller's token. */
export interface SessionOwner {
  teamId: string;
  memberId: string;
  keyId: string;
  tier: KeyTier;
}

/** What somebody signs in with. */
export type SignInCredential =
  | { kind: 'key'; text: string }
  | { kind: 'link'; text: string }
  /** An address that is known to be the person's. */
  | { kind: 'address'; address: string; teamSlug: string };

/** A secret that was made, which exists only here, and when it expires. */
export interface NewSecret {
  text: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** The use cases of signing in. A refused secret throws AppError `invalid_key`, the same for every reason. */
export interface Sessions {
  /** Makes a link that stands for the owner's key. */
  createLink(owner: Pick<SessionOwner, 'teamId' | 'keyId'>): Promise<NewSecret>;
  /** Returns the key that a credential proves. A link is used up by it. */
  prove(credential: SignInCredential): Promise<Key>;
  /** Opens a session that stands for a key. */
  open(key: Key): Promise<NewSecret>;
  /** The session that a text proves; undefined if there is none any more. */
  find(text: string): Promise<SessionOwner | undefined>;
  /** The key that a session stands for, and when the session expires. */
  authenticate(text: string): Promise<{ key: Key; expiresAt: number }>;
  /** Ends a session; does nothing where there is none. */
  end(text: string): Promise<void>;
  /** Ends the owner's sessions that the owner's key may know about; returns how many these were. */
  endAll(owner: Pick<SessionOwner, 'teamId' | 'memberId' | 'tier'>): Promise<number>;
}

/** The part of the use cases of addresses that signing in needs; `SignInAddresses` says what it does. */
export interface AddressSignIn {
  signIn(teamSlug: string, address: string): Promise<Key>;
}

export interface SessionsDependencies {
  links: SignInLinkStore;
  sessions: SessionStore;
  /** Finds keys, notes their last use and says what time it is. */
  keys: AuthenticateDependencies;
  addresses: AddressSignIn;
  /** Unbiased and unpredictable: a whole number from 0 to bound - 1. */
  randomInt: (bound: number) => number;
}

/** Creates the use cases of signing in. */
export function createSessions(dependencies: SessionsDependencies): Sessions {
  const { links, sessions, keys, addresses, randomInt } = dependencies;

  /** The session that `text` proves, or undefined; whether it has expired is not looked at. */
  async function findSession(text: string): Promise<Session | undefined> {
    const stored = await findProven('tmsn', text, (id) => sessions.findById(id));
    return stored?.session;
  }

  async function keyOfLink(text: string): Promise<Key> {
    const link = (await findProven('tmsl', text, (id) => links.findById(id)))?.link;
    if (!link || link.expiresAt <= keys.clock()) throw invalidSignInLink();
    // Only one of those who present the link at the same time takes it.
    if (!(await links.take(link.teamId, link.linkId))) throw invalidSignInLink();
    const stored = await keys.store.findById(link.keyId);
    if (!stored || !isActive(stored.key, keys.clock())) throw invalidSignInLink();
    return stored.key;
  }

  function keyOf(credential: SignInCredential): Promise<Key> {
    if (credential.kind === 'address') return addresses.signIn(credential.teamSlug, credential.address);
    return credential.kind === 'key' ? authenticate(keys, credential.text) : keyOfLink(credential.text);
  }

  return {
    async createLink({ teamId, keyId }) {
      const createdAt = keys.clock();
      const { text, keyId: linkId, secret } = createKeyText('tmsl', randomInt);
      const link = { linkId, teamId, keyId, createdAt, expiresAt: createdAt + signInLinkLifetimeMs };
      await links.create(teamId, { link, secretHash: hashSecret(secret) }, maxSignInLinks);
      return { text, expiresAt: link.expiresAt };
    },

    prove: keyOf,
    find: findSession,

    async open(key) {
      const createdAt = keys.clock();
      const { text, keyId: sessionId, secret } = createKeyText('tmsn', randomInt);
      const { teamId, keyId, memberId, tier } = key;
      const expiresAt = Math.min(createdAt + sessionLifetimeMs, key.expiresAt ?? Number.POSITIVE_INFINITY);
      const session = { sessionId, teamId, keyId, memberId, tier, createdAt, expiresAt };
      await sessions.create(teamId, { session, secretHash: hashSecret(secret) }, maxSessions);
      return { text, expiresAt };
    },

    async authenticate(text) {
      const session = await findSession(text);
      const now = keys.clock();
      if (!session || session.expiresAt <= now) throw endedSession();
      const stored = await keys.store.findById(session.keyId);
      if (!stored || !isActive(stored.key, now)) throw endedSession();
      keys.lastUse.record(stored.key, now);
      return { key: stored.key, expiresAt: session.expiresAt };
    },

    async end(text) {
      const session = await findSession(text);
      if (session) await sessions.remove(session.teamId, session.sessionId);
    },

    // An external key may belong to somebody else than the person: it does not end sessions of team keys.
    endAll: ({ teamId, memberId, tier }) =>
      sessions.removeOfMember(
        teamId,
        memberId,
        tier === 'team' ? ['team', 'external'] : ['external'],
        keys.clock(),
      ),
  };
}

function invalidSignInLink(): AppError {
  return new AppError('invalid_key', 'The sign-in link was used already, has expired or is not valid.');
}

function endedSession(): AppError {
  return new AppError('invalid_key', 'The session has ended; sign in again.');
}
