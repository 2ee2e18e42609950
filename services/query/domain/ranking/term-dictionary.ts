import { createPostingList, type PostingList } from './posting-list.ts';

/** A word in use. */
export interface Term {
  text: string;
  /** Stands for the word as long as it is in use. */
  number: number;
  postings: PostingList;
}

/** Words that come into use and fall out of use are told to it, with the number that stands for them meanwhile. */
export interface VocabularyListener {
  add(term: string, number: number): void;
  remove(term: string, number: number): void;
}

/** The words of one view. */
export interface TermDictionary {
  find(text: string): Term | undefined;
  /** Finds the term, or takes it up without postings. */
  use(text: string): Term;
  byNumber(number: number): Term | undefined;
  forget(term: Term): void;
  size(): number;
  /** Characters of all the words. */
  length(): number;
}

/** Makes an empty dictionary. */
export function createTermDictionary(listeners: readonly VocabularyListener[]): TermDictionary {
  const terms = new Map<string, Term>();
  const termsByNumber: (Term | undefined)[] = [];
  const freeNumbers: number[] = [];
  let length = 0;

  return {
    find: (text) => terms.get(text),
    use(text) {
      const known = terms.get(text);
      if (known) return known;
      const term = { text, number: freeNumbers.pop() ?? termsByNumber.length, postings: createPostingList() };
      termsByNumber[term.number] = term;
      terms.set(text, term);
      length += text.length;
      for (const listener of listeners) listener.add(text, term.number);
      return term;
    },
    byNumber: (number) => termsByNumber[number],
    forget(term) {
      terms.delete(term.text);
      length -= term.text.length;
      termsByNumber[term.number] = undefined;
      freeNumbers.push(term.number);
      for (const listener of listeners) listener.remove(term.text, term.number);
    },
    size: () => terms.size,
    length: () => length,
  };
}
