/** A power of two, like all numbers of places. */
const firstPlaces = 1_024;
/** An entry of a word has its hash, its length with its language, and its term, then its characters, two in a number. */
const [lengthField, termField, charactersField] = [1, 2, 3];
/** Languages are numbers below 16. */
const languageBits = 4;

/** Which terms words have, by their language and characters: words of one term, as most are, without an object each. */
export interface WordCache {
  /**
   * The id of the only term of a word, which is a part of `units`; below 0 what `severalOf` takes, or `none` where the
   * word is not there.
   */
  find(units: Uint16Array, start: number, end: number, hash: number, language: number): number;
  /** The ids of the terms of a word that has none, or several. */
  severalOf(found: number): readonly number[] | undefined;
  /** Adds a word that is not there. */
  add(
    units: Uint16Array,
    start: number,
    end: number,
    hash: number,
    language: number,
    ids: readonly number[],
  ): void;
  none: number;
  size(): number;
}

/** Makes an empty cache: open addressing, with all of a word in one place, for memory is what takes time here. */
export function createWordCache(): WordCache {
  const none = -(2 ** 31);
  /** By place: where an entry begins in `entries`; 0 for none. */
  let places = new Int32Array(firstPlaces);
  let entries = new Int32Array(8 * firstPlaces);
  let end = 1;
  let size = 0;
  const several: (readonly number[])[] = [];

  function put(entry: number): void {
    const mask = places.length - 1;
    let at = firstPlace(entries[entry] as number, places.length);
    while (places[at] !== 0) at = (at + 1) & mask;
    places[at] = entry;
  }

  /** Makes room for one more word of this length. */
  function reserve(length: number): void {
    if (end + charactersField + length > entries.length) {
      const larger = new Int32Array(2 * entries.length + length);
      larger.set(entries);
      entries = larger;
    }
    if (2 * (size + 1) <= places.length) return;
    const before = places;
    places = new Int32Array(2 * before.length);
    for (const entry of before) if (entry !== 0) put(entry);
  }

  function isWord(
    entry: number,
    units: Uint16Array,
    start: number,
    length: number,
    language: number,
  ): boolean {
    if (entries[entry + lengthField] !== ((length << languageBits) | language)) return false;
    let field = entry + charactersField;
    for (let at = 0; at < length; at += 2) {
      if (entries[field] !== pairAt(units, start + at, at + 1 < length)) return false;
      field += 1;
    }
    return true;
  }

  return {
    none,
    find(units, start, stop, hash, language) {
      const mask = places.length - 1;
      for (let at = firstPlace(hash, places.length); ; at = (at + 1) & mask) {
        const entry = places[at] as number;
        if (entry === 0) return none;
        if (entries[entry] === hash && isWord(entry, units, start, stop - start, language))
          return entries[entry + termField] as number;
      }
    },
    severalOf: (found) => several[-1 - found],
    add(units, start, stop, hash, language, ids) {
      const length = stop - start;
      reserve(length);
      const [only] = ids;
      const term = ids.length === 1 && only !== undefined ? only : -several.push(ids);
      entries[end] = hash;
      entries[end + lengthField] = (length << languageBits) | language;
      entries[end + termField] = term;
      const entry = end;
      end += charactersField;
      for (let at = 0; at < length; at += 2) {
        entries[end] = pairAt(units, start + at, at + 1 < length);
        end += 1;
      }
      size += 1;
      put(entry);
    },
    size: () => size,
  };
}

function pairAt(units: Uint16Array, at: number, hasSecond: boolean): number {
  return (units[at] as number) | (hasSecond ? (units[at + 1] as number) << 16 : 0);
}

/** Where a hash is looked for first: its highest bits, which are the best. */
function firstPlace(hash: number, places: number): number {
  return hash >>> (Math.clz32(places) + 1);
}
