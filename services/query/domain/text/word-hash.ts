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
