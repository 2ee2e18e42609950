import type { Source } from '../citations/answer.ts';

/** More text of an answer, or, once and last, what it rests on. */
export type AnswerPart = { kind: 'delta'; text: string } | { kind: 'sources'; sources: readonly Source[] };
