/** Share of the pairs of neighbours in the question that these terms have too, 0 to 1. */
export function pairShare(present: readonly string[], asked: readonly string[]): number {
  const wanted = pairsOf(asked);
  return wanted.size === 0 ? 0 : wanted.intersection(pairsOf(present)).size / wanted.size;
}

function pairsOf(terms: readonly string[]): Set<string> {
  return new Set(terms.slice(1).map((term, index) => `${terms[index]} ${term}`));
}
