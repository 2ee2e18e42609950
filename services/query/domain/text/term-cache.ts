import { createWordCache } from './word-cache.ts';
import {
  classAt,
  isApostrophe,
  languageHash,
  letter,
  mark,
  mixed,
  number,
  wordHash,
} from './word-characters.ts';

/** Words and terms that are remembered, about the vocabulary of a large team: 16 MB at most. Nearly all text is words seen before. */
const maxRemembered = 65_536;
/** Longer words are seldom seen twice. */
const maxRememberedLength = 24;
const beginsWord = letter | number;
const inWord = letter | number | mark;

/** What is kept of a term for those that count and look up terms, as places in `TermCache.notes`. */
export const note = {
  /** The place of the term among the different ones of the passage that it was last counted in. */
  place: 0,
  /** The vocabulary that it was last looked up in. */
  vocabulary: 1,
  /** Its number there. */
  number: 2,
} as const;
/** Notes of a term: those of the term with the id n begin at n times this. */
export const notesPerTerm = 3;

/** Finds the terms of texts, and remembers those of the words that it has met. A term is an id. */
export interface TermCache {
  /** Begins anew: ids that were found before are of no use any more. */
  begin(): void;
  /** Finds the terms of a text in a language; returns how many were found since `begin`. Time is linear in the text. */
  find(text: string, language: number): number;
  /** The ids found since `begin`, in order; more numbers may stand behind them. Another array after more were found. */
  found(): Int32Array;
  textOf(id: number): string;
  /** The `wordHash` of a term. */
  hashOf(id: number): number;
  /** 0 for a term that is new; another array after more terms were found. */
  notes(): Int32Array;
}

/**
 * Makes a cache over what gives the terms of a word in a language: letters, marks, numbers and underscores, with
 * apostrophes between letters. Languages are numbers from 0 to 15.
 */
export function createTermCache(
  termsOfWord: (word: string, language: number) => readonly string[],
): TermCache {
  let words = createWordCache();
  let idsByText = new Map<string, number>();
  let texts: string[] = [];
  let hashes: number[] = [];
  let notes = new Int32Array(notesPerTerm * 1_024);
  /** The text at hand, and what was found so far. */
  let units = new Uint16Array(2_048);
  let found = new Int32Array(1_024);
  let count = 0;

  function forgetAll(): void {
    words = createWordCache();
    idsByText = new Map();
    texts = [];
    hashes = [];
    notes.fill(0);
  }

  function idOf(text: string): number {
    const known = idsByText.get(text);
    if (known !== undefined) return known;
    const id = texts.push(text) - 1;
    hashes.push(wordHash(text));
    idsByText.set(text, id);
    if (notesPerTerm * texts.length > notes.length) notes = grown(notes, new Int32Array(2 * notes.length));
    return id;
  }

  function push(id: number): void {
    if (count === found.length) found = grown(found, new Int32Array(2 * count));
    found[count] = id;
    count += 1;
  }

  function pushTermsOf(text: string, start: number, end: number, hash: number, language: number): void {
    const entry = words.find(units, start, end, hash, language);
    if (entry >= 0) {
      push(entry);
      return;
    }
    const several = entry === words.none ? undefined : words.severalOf(entry);
    const ids = several ?? termsOfWord(text.slice(start, end), language).map(idOf);
    if (several === undefined && end - start <= maxRememberedLength)
      words.add(units, start, end, hash, language, ids);
    for (const id of ids) push(id);
  }

  function findIn(text: string, language: number): void {
    const ofLanguage = languageHash(language);
    const { length } = text;
    if (length >= units.length) units = new Uint16Array(2 * length);
    for (let at = 0; at < length; at += 1) units[at] = text.charCodeAt(at);
    // No word goes on beyond it.
    units[length] = 0;
    for (let at = 0; at < length; ) {
      const start = at;
      let hash = ofLanguage;
      for (let of = beginsWord; (classAt(units, at) & of) !== 0; of = inWord) {
        hash = mixed(hash, at - start, units[at] as number);
        at += 1;
      }
      if (at === start) {
        at += 1;
        continue;
      }
      while (isApostrophe(units[at] as number) && (classAt(units, at + 1) & letter) !== 0) {
        do {
          hash = mixed(hash, at - start, units[at] as number);
          at += 1;
        } while ((classAt(units, at) & letter) !== 0);
      }
      pushTermsOf(text, start, at, hash, language);
    }
  }

  return {
    begin() {
      // Emptied whole when full: terms are cheap to find again, and order of use costs more to keep.
      if (texts.length >= maxRemembered || words.size() >= maxRemembered) forgetAll();
      count = 0;
    },
    find(text, language) {
      findIn(text, language);
      return count;
    },
    found: () => found,
    textOf: (id) => texts[id] as string,
    hashOf: (id) => hashes[id] as number,
    notes: () => notes,
  };
}

function grown<Values extends Uint16Array | Int32Array>(values: Values, larger: Values): Values {
  larger.set(values);
  return larger;
}
