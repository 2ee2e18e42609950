import type { EvaluationDocument } from './collection.ts';
import { porterStem } from './porter-stem.ts';

/** Lucene's defaults for BM25Similarity. */
const k1 = 1.2;
const b = 0.75;
/** The stop words of Lucene's EnglishAnalyzer. */
const stopWords = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such that the their then there these they ' +
    'this to was will with'
  ).split(' '),
);
/** Words as Unicode (UAX 29) cuts them, but that digits and letters joined by a stop or apostrophe stay one. */
const word = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*(?:[.'’][\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)*/gu;

/**
 * Ranks whole documents as Lucene does out of the box: BM25 with idf
 * ln(1 + (N - n + .5) / (n + .5)) over one field of title and text, words in
 * lower case without stop words and possessives, stemmed after Porter. Document
 * lengths are exact, where Lucene rounds them to a byte. Answers a function from
 * a question to the ids of the best documents, ties in the order given.
 */
export function luceneBm25(documents: readonly EvaluationDocument[]) {
  const postings = new Map<string, Map<number, number>>();
  const lengths = documents.map(({ title, text }, document) => {
    const terms = luceneTerms(`${title}\n${text}`);
    for (const term of terms) {
      const frequencies = postings.get(term) ?? new Map<number, number>();
      frequencies.set(document, (frequencies.get(document) ?? 0) + 1);
      postings.set(term, frequencies);
    }
    return terms.length;
  });
  const averageLength = lengths.reduce((sum, length) => sum + length, 0) / documents.length;

  return (question: string, limit: number): string[] => {
    const scores = new Map<number, number>();
    for (const term of luceneTerms(question)) {
      const frequencies = postings.get(term) ?? new Map<number, number>();
      const idf = Math.log(1 + (documents.length - frequencies.size + 0.5) / (frequencies.size + 0.5));
      for (const [document, frequency] of frequencies) {
        const norm = k1 * (1 - b + (b * (lengths[document] ?? 0)) / averageLength);
        scores.set(document, (scores.get(document) ?? 0) + (idf * frequency) / (frequency + norm));
      }
    }
    const ranked = [...scores].sort((left, right) => right[1] - left[1] || left[0] - right[0]);
    return ranked.slice(0, limit).map(([document]) => documents[document]?.id ?? '');
  };
}

function luceneTerms(text: string): string[] {
  const words = text.toLowerCase().match(word) ?? [];
  return words
    .map((each) => each.replace(/['’]s$/, ''))
    .filter((each) => !stopWords.has(each))
    .map(porterStem);
}
