/** What Markdown an answer may have (setting ANSWER_MARKUP): only what shows words, or everything. */
export const answerMarkups = ['inert', 'full'] as const;

export type AnswerMarkup = (typeof answerMarkups)[number];
