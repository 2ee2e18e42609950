declare module 'snowball-stemmers' {
  /** Makes the algorithm of Snowball of this English name, such as `german`. */
  function newStemmer(algorithm: string): { stem(word: string): string };
  export default { newStemmer };
}
