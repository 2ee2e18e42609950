import { analyze } from './analyzer.ts';
import { everydayWords } from './everyday-words.ts';
import { ordinaryWords } from './ordinary-words.ts';

/** Words before this place of the list are told apart less than by Zipf's law: which of them leads is chance. */
const flatRanks = 300;
/** No word counts for nothing, so that a question of everyday words alone can be compared too. */
const leastRarity = 0.05;

const rarities = new Map<string, number>();
const terms = [...new Set(analyze(everydayWords))];
for (const [rank, term] of terms.entries()) {
  const rarity = Math.log(1 + rank / flatRanks) / Math.log(1 + terms.length / flatRanks);
  rarities.set(term, Math.max(leastRarity, rarity));
}

/**
 * How rare a term is in general English, 0.05 to 1: the logarithm of its rank
 * among everyday words, to which frequency is proportional by Zipf's law, and
 * 1 for all that are not among them: names, jargon, other languages. A team of
 * few notes cannot tell from them alone that "largest" says less than "desert".
 */
export function generalRarity(term: string): number {
  return rarities.get(term) ?? 1;
}

const ordinary = new Set(analyze(ordinaryWords));

/** Whether a term is one of some 9,000 that readers of general English prose know; names and jargon are not. */
export function isOrdinary(term: string): boolean {
  return rarities.has(term) || ordinary.has(term);
}
