import { AppError } from '@teammemory/errors/app-error.ts';
import { randomBase62 } from './key-text.ts';
import { invalidRequest } from './request-rules.ts';

/** How long an app is kept that nobody lets act: a person decides within minutes. */
const unusedLifetimeMs = 24 * 60 * 60 * 1000;
/** Apps that are kept of those that nobody ever let act. So strangers push out none that is in use. */
const maxUnused = 500;
/** Apps that are kept of those that a member was the first to let act. So members push out none but their own. */
const maxOfMember = 50;
const maxNameCharacters = 100;
const [maxRedirectUris, maxRedirectUriCharacters] = [20, 2_048];
/** Not secret: whoever has an id without a code or token has nothing. */
const idLength = 24;

/** An app by what it said when it registered itself; nobody has checked it. */
export interface RegisteredApp {
  /** `registered-` and 24 characters of [0-9A-Za-z]. */
  clientId: string;
  /** What it calls itself; '' is nothing. */
  name: string;
  /** Where codes may be sent to. */
  redirectUris: string[];
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** When somebody let it act last, in milliseconds since the epoch; null: nobody ever did. */
  usedAt: number | null;
}

/** Stores apps that registered themselves. Every method may also throw AppError `unavailable`. */
export interface RegisteredAppStore {
  /**
   * Stores a new app durably. Before that it removes those without use that were made at `unusedUntil` or earlier, and the
   * oldest of the others without use, so that at most `max` of them are stored.
   */
  add(app: RegisteredApp, bounds: { unusedUntil: number; max: number }): Promise<void>;
  findById(clientId: string): Promise<RegisteredApp | undefined>;
  /**
   * Notes a use, and the member if it is the first. Then removes of the apps that this member was the first to use those
   * that were used longest ago, so that `max` are left.
   */
  use(clientId: string, by: { memberId: string; at: number }, max: number): Promise<void>;
}

/** The use cases of apps that register themselves. */
export interface RegisteredApps {
  /** Throws AppError `invalid_request`. */
  register(app: Pick<RegisteredApp, 'name' | 'redirectUris'>): Promise<RegisteredApp>;
  /** Throws AppError `not_found`. */
  find(clientId: string): Promise<RegisteredApp>;
  /** Notes that a member lets an app act; an app with a document of its own is none of these. */
  use(clientId: string, memberId: string): Promise<void>;
}

/** Creates the use cases of apps that register themselves. */
export function createRegisteredApps({
  store,
  clock,
  randomInt,
}: {
  store: RegisteredAppStore;
  clock: () => number;
  /** Unbiased and unpredictable: a whole number from 0 to bound - 1. */
  randomInt: (bound: number) => number;
}): RegisteredApps {
  return {
    async register({ name, redirectUris }) {
      checkApp(name, redirectUris);
      const now = clock();
      const clientId = `registered-${randomBase62(idLength, randomInt)}`;
      const app = { clientId, name, redirectUris, createdAt: now, usedAt: null };
      await store.add(app, { unusedUntil: now - unusedLifetimeMs, max: maxUnused });
      return app;
    },

    async find(clientId) {
      const app = await store.findById(clientId);
      const isKept = app !== undefined && (app.usedAt !== null || clock() - app.createdAt < unusedLifetimeMs);
      if (isKept) return app;
      throw new AppError('not_found', 'There is no registered app with this id.');
    },

    async use(clientId, memberId) {
      if (!clientId.startsWith('registered-')) return;
      await store.use(clientId, { memberId, at: clock() }, maxOfMember);
    },
  };
}

/** @throws AppError `invalid_request`. */
function checkApp(name: string, redirectUris: readonly string[]): void {
  if (name.length > maxNameCharacters) {
    throw invalidRequest('/name', `must have at most ${maxNameCharacters} characters`);
  }
  const isUsual = (uri: string) => uri !== '' && uri.length <= maxRedirectUriCharacters;
  const isFew = redirectUris.length > 0 && redirectUris.length <= maxRedirectUris;
  if (isFew && redirectUris.every(isUsual)) return;
  const each = `each with 1 to ${maxRedirectUriCharacters} characters`;
  throw invalidRequest('/redirect_uris', `must be 1 to ${maxRedirectUris} addresses, ${each}`);
}
