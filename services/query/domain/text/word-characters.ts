/** What a character may be in a word, as bits. */
export const [other, letter, number, mark] = [1, 2, 4, 8];

/** By UTF-16 unit; 0 for one not met yet, and for surrogates, whose class is that of their pair. */
const classes = new Uint8Array(2 ** 16);

/** The class of the character that the UTF-16 unit at this place is, or is a part of. Underscores count as numbers. */
export function classAt(units: Uint16Array, at: number): number {
  return classes[units[at] as number] || classify(units, at);
}

export function isApostrophe(unit: number): boolean {
  return unit === 0x27 || unit === 0x2019;
}

function classify(units: Uint16Array, at: number): number {
  const unit = units[at] as number;
  const first = unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
  const pair = String.fromCharCode(units[first] ?? 0, units[first + 1] ?? 0);
  const isPair = (pair.codePointAt(0) ?? 0) > 0xffff;
  const found = classOf(isPair ? pair : String.fromCharCode(unit));
  if (unit < 0xd800 || unit > 0xdfff) classes[unit] = found;
  return found;
}

function classOf(character: string): number {
  if (/\p{L}/u.test(character)) return letter;
  if (/[\p{N}_]/u.test(character)) return number;
  return /\p{M}/u.test(character) ? mark : other;
}

/**
 * Keys by place in a word, other ones in every process: nobody can choose words that collide (multiply-shift hashing
 * of vectors, Dietzfelbinger 1996).
 */
const keys = crypto.getRandomValues(new Int32Array(4_096));
const keyMask = keys.length - 1;

/** The hash of a word, after that of the characters before this one; 0 before the first. Its highest bits are the best. */
export function mixed(hash: number, at: number, unit: number): number {
  return (hash + Math.imul(keys[at & keyMask] as number, unit)) | 0;
}

/** What the hash of a word begins with in a language, so that those of the same word in others are elsewhere. */
export function languageHash(language: number): number {
  return mixed(0, keyMask, language);
}

/** The hash of a whole word. */
export function wordHash(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at += 1) hash = mixed(hash, at, word.charCodeAt(at));
  return hash;
}
