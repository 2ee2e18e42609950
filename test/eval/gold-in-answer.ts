/**
 * Whether an answer has one of the gold strings, as whole words and in order.
 * Both are compared as in the evaluation of SQuAD (Rajpurkar et al., 2016),
 * in lower case and without punctuation and articles; citations count as
 * punctuation.
 */
export function goldInAnswer(answer: string, gold: readonly string[]): boolean {
  const words = wordsOf(answer.replace(/\[\d+\]/g, ' '));
  return gold.some((each) => {
    const wanted = wordsOf(each);
    return wanted !== '' && ` ${words} `.includes(` ${wanted} `);
  });
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .split(' ')
    .filter((word) => !/^(?:a|an|the|)$/.test(word))
    .join(' ');
}
