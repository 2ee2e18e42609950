import type { WordTable } from '../storage/word-table.ts';
import { termCache } from '../text/analyzer.ts';
import { note, notesPerTerm } from '../text/term-cache.ts';

/** In place of the number of a term that the vocabulary does not have. */
export const unknownTerm = -1;

/** The numbers of terms in one vocabulary, by their ids in `termCache`. */
export interface TermNumbers {
  /** The number of a term, or `unknownTerm`. */
  numberOf(id: number): number;
  /** Words of the arena that a term takes which is added. */
  wordsFor(id: number): number;
  /** Adds a term that the vocabulary does not have, and for which there is room; returns its number. */
  add(id: number): number;
  /** Removes a word from the vocabulary. */
  remove(number: number): void;
}

let vocabularies = 0;

/** Makes numbers over a vocabulary, from which words are removed by these alone. */
export function createTermNumbers(vocabulary: WordTable): TermNumbers {
  /** Identifies the vocabulary, and changes when a word is removed. */
  let vocabularyId = 0;

  function renew(): void {
    vocabularies += 1;
    vocabularyId = vocabularies;
  }

  /** Notes a number at its term: most terms are looked up in the same vocabulary over and over. */
  function noted(id: number, number: number): number {
    const notes = termCache.notes();
    notes[id * notesPerTerm + note.vocabulary] = vocabularyId;
    notes[id * notesPerTerm + note.number] = number;
    return number;
  }

  renew();
  return {
    numberOf(id) {
      const notes = termCache.notes();
      if (notes[id * notesPerTerm + note.vocabulary] === vocabularyId)
        return notes[id * notesPerTerm + note.number] as number;
      const number = vocabulary.find(termCache.textOf(id), termCache.hashOf(id));
      return number < 0 ? unknownTerm : noted(id, number);
    },
    wordsFor: (id) => vocabulary.wordsFor(termCache.textOf(id)),
    add: (id) => noted(id, vocabulary.add(termCache.textOf(id))),
    remove(number) {
      vocabulary.remove(number);
      // The number may be another word's from now on.
      renew();
    },
  };
}
