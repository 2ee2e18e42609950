import { createMarkup } from './markup.ts';

/** What a worker is asked. */
export interface MarkupRequest {
  /** As in `createMarkup`. */
  lineAttribute: string;
  imageWord: string;
  texts: readonly string[];
}

/** What it answers: the markup of each text in pieces, undefined for one that cannot be laid out. */
export type MarkupAnswer = readonly (readonly string[] | undefined)[];

// Runs in a thread of its own, which can be ended: a text may be made to take seconds.
addEventListener('message', ({ data: { lineAttribute, imageWord, texts } }: MessageEvent<MarkupRequest>) => {
  const markupOf = createMarkup(lineAttribute, imageWord);
  const answer: MarkupAnswer = texts.map((text) => {
    try {
      return markupOf(text);
    } catch {
      return undefined;
    }
  });
  postMessage(answer);
});
// It has been loaded, and can be asked.
postMessage([]);
