import { generalRarity } from '../text/general-rarity.ts';
import type { Language } from '../text/languages.ts';
import { openThesaurus } from './thesaurus.ts';

/**
 * Whether general texts of a language have this term: it is neither a name nor jargon, nor another word misspelt. For
 * other languages than English this is known of their most frequent words only.
 */
export function isOrdinary(term: string, language: Language): boolean {
  return generalRarity(term, language) < 1 || (language === 'en' && openThesaurus()(term).length > 0);
}
