import { analyze } from './analyzer.ts';
import { everydayWords } from './everyday-words.ts';
import { frequentWords, type Language } from './languages.ts';
import { ordinaryWords } from './ordinary-words.ts';

/** Words before this place of the list are told apart less than by Zipf's law: which of them leads is chance. */
const flatRanks = 300;
/** No word counts for nothing, so that a question of everyday words alone can be compared too. */
const leastRarity = 0.05;

const rarities = new Map<Language, Map<string, number>>();

/** By term of a language, made when it is first asked for. */
function raritiesOf(language: Language): Map<string, number> {
  const known = rarities.get(language);
  if (known !== undefined) return known;
  const made = new Map<string, number>();
  rarities.set(language, made);
  const words = language === 'en' ? everydayWords : frequentWords(language);
  const terms = [...new Set(analyze(words, language))];
  for (const [rank, term] of terms.entries()) {
    const rarity = Math.log(1 + rank / flatRanks) / Math.log(1 + terms.length / flatRanks);
    made.set(term, Math.max(leastRarity, rarity));
  }
  return made;
}

/**
 * How rare a term is in general texts of a language, 0.05 to 1: the logarithm of
 * its rank among everyday words, to which frequency is proportional by Zipf's
 * law, and 1 for all that are not among them: names, jargon. A team of few notes
 * cannot tell from them alone that "largest" says less than "desert".
 */
export function generalRarity(term: string, language: Language = 'en'): number {
  return raritiesOf(language).get(term) ?? 1;
}

const ordinary = new Set(analyze(ordinaryWords));

/**
 * Whether general texts of a language have a term; names and jargon are not among them. Of English this is known of the
 * 9,000 terms that readers of its prose know, of other languages of their most frequent words only.
 */
export function isOrdinary(term: string, language: Language = 'en'): boolean {
  return raritiesOf(language).has(term) || (language === 'en' && ordinary.has(term));
}
