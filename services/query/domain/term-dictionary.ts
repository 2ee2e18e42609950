import { createPostingList, type PostingList } from './posting-list.ts';

/** A word in use. */
export interface Term {
  text: string;
  /** Stands for the word as long as it is in use. */
  number: number;
  postings: PostingList;
}

/** Words that come into use and fall out of use are told to it. */
export interface VocabularyListener {
  add(term: string): void;
  remove(term: string): void;
}

/** The words of one view. */
export interface TermDictionary {
  find(text: string): Term | undefined;
  /** Finds the term, or takes it up without postings. */
  use(text: string): Term;
  byNumber(number: number): Term | undefined;
  /** The text of a number's term; empty where there is none. */
  textOf(number: number): string;
  forget(term: Term): void;
  size(): number;
}

/** Makes an empty dictionary. */
export function createTermDictionary(listener: VocabularyListener): TermDictionary {
  const terms = new Map<string, Term>();
  const termsByNumber: (Term | undefined)[] = [];
  /** Beside the terms: a question reads thousands of texts, and the way over the terms takes twice as long. */
  const textsByNumber: string[] = [];
  const freeNumbers: number[] = [];

  return {
    find: (text) => terms.get(text),
    use(text) {
      const known = terms.get(text);
      if (known) return known;
      const term = { text, number: freeNumbers.pop() ?? termsByNumber.length, postings: createPostingList() };
      termsByNumber[term.number] = term;
      textsByNumber[term.number] = text;
      terms.set(text, term);
      listener.add(text);
      return term;
    },
    byNumber: (number) => termsByNumber[number],
    textOf: (number) => textsByNumber[number] ?? '',
    forget(term) {
      terms.delete(term.text);
      termsByNumber[term.number] = undefined;
      textsByNumber[term.number] = '';
      freeNumbers.push(term.number);
      listener.remove(term.text);
    },
    size: () => terms.size,
  };
}
