import { signal } from '@preact/signals';
import { session } from '../../service/session.ts';

/** Questions that are kept. */
const maxQuestions = 30;

/** Earlier questions of this member in this browser, newest first. They are stored nowhere else. */
export const earlierQuestions = signal<readonly string[]>([]);

/** Reads the questions of whoever is signed in. */
export function loadEarlierQuestions(): void {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageName()) ?? '[]');
    const isText = (each: unknown) => typeof each === 'string';
    earlierQuestions.value = Array.isArray(stored) ? stored.filter(isText).slice(0, maxQuestions) : [];
  } catch {
    // The browser keeps nothing for this page, or what it kept is damaged.
    earlierQuestions.value = [];
  }
}

/** Keeps a question; one that was asked before moves to the top. */
export function keepQuestion(question: string): void {
  keep([question, ...earlierQuestions.value.filter((each) => each !== question)].slice(0, maxQuestions));
}

/** Forgets all questions of this member in this browser. */
export function forgetQuestions(): void {
  keep([]);
}

function keep(questions: readonly string[]): void {
  earlierQuestions.value = questions;
  try {
    localStorage.setItem(storageName(), JSON.stringify(questions));
  } catch {
    // Without storage they last as long as the page.
  }
}

/** Two members who share a browser do not see each other's questions. */
function storageName(): string {
  return `questions ${session.value?.team} ${session.value?.member} ${session.value?.tier}`;
}
