import { session } from '../service/session.ts';

/**
 * Drafts that this browser could not store, because it stores nothing for the page, or no text as long. They last as long
 * as the page.
 */
const unstored = new Map<string, string>();
/** Begins the names under which drafts are stored. */
const prefix = 'draft ';

/** Whoever leaves the dashboard, or reloads it, with a draft that is not stored is asked first. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/**
 * Returns the name under which this browser stores something of whoever is signed in until they sign out. It belongs to
 * one member of one team: two who share a browser do not see each other's.
 */
export function ownStorageName(what: string): string {
  const { team, member, tier } = session.value ?? {};
  return prefix + JSON.stringify([team, member, tier, what]);
}

/** Returns the draft with a name: a text that somebody typed and has not saved; undefined if there is none. */
export function draftOf<Draft>(what: string): Draft | undefined {
  const name = ownStorageName(what);
  try {
    const stored = unstored.get(name) ?? localStorage.getItem(name);
    return stored === null ? undefined : JSON.parse(stored);
  } catch {
    return undefined;
  }
}

/** Returns the name of the draft of a note, or of a new one (no path). */
export function noteDraftName(rowKey = ''): string {
  return `note ${rowKey}`;
}

/** Keeps a draft in this browser until it is saved or discarded, or its author signs out. */
export function keepDraft(what: string, draft: object): void {
  const [name, stored] = [ownStorageName(what), JSON.stringify(draft)];
  dropDraft(what);
  try {
    localStorage.setItem(name, stored);
  } catch {
    if (unstored.size === 0) window.addEventListener('beforeunload', warn);
    unstored.set(name, stored);
  }
}

/** Forgets a draft. */
export function dropDraft(what: string): void {
  forget(ownStorageName(what));
}

/** Returns what forgets all that whoever is signed in now has stored here, to be called once they have signed out. */
export function forgetDraftsLater(): () => void {
  const own = ownStorageName('').slice(0, -'""]'.length);
  return () => {
    for (const name of [...unstored.keys(), ...storedNames()]) if (name.startsWith(own)) forget(name);
  };
}

function forget(name: string): void {
  if (unstored.delete(name) && unstored.size === 0) window.removeEventListener('beforeunload', warn);
  try {
    localStorage.removeItem(name);
  } catch {
    // Nothing is stored.
  }
}

function storedNames(): string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}
