import { signal } from '@preact/signals';
import type { RatingVerdict, Source } from '@teammemory/proto/query/v1/query_pb.ts';
import { ownStorageName } from '../../data/drafts.ts';
import { session } from '../../service/session.ts';

/** The most that the service takes as a question. */
export const maxQuestionCharacters = 4_000;
/** The answers of a few days of work. */
const maxAnswers = 30;
/** All of them together: a browser gives a page about five million characters, which drafts need too. */
const maxCharacters = 1_000_000;
/** What the team has erased is not read here for ever. */
const maxAgeMs = 30 * 24 * 60 * 60_000;

/** A question as a person asks it. */
export interface Question {
  question: string;
  /** The questions that it follows, one a line, which are asked together with it; empty for none. */
  after: string;
}

/** What an answer cites. */
export type AnswerSource = Omit<Source, '$typeName' | '$unknown'>;

/** A question with what came of its answer. */
export interface KeptAnswer extends Question {
  text: string;
  /** The k-th is cited as [k]; empty until the answer is complete. */
  sources: readonly AnswerSource[];
  status: 'complete' | 'stopped' | 'failed';
  /** When it was asked, ISO 8601. */
  at: string;
  /** What the administrators were told of it. */
  rated?: RatingVerdict;
}

/** The answers of this member in this browser, newest first. They are stored nowhere else, and are gone at sign-out. */
export const keptAnswers = signal<readonly KeptAnswer[]>([]);

/** Whether two questions are the same, with what they follow. */
export function isSameQuestion(one: Question, other: Question): boolean {
  return one.question === other.question && one.after === other.after;
}

/** Returns the text that the service is asked. */
export function textOfQuestion({ question, after }: Question): string {
  return after === '' ? question : `${after}\n${question}`;
}

/** Makes a question that follows another one, with as much of what came before as the service takes. */
export function followUp(before: Question, question: string): Question {
  const room = maxQuestionCharacters - question.length - 1;
  return { question, after: room <= 0 ? '' : textOfQuestion(before).slice(-room) };
}

/** The address that shows a question. */
export function questionPath({ question, after }: Question): string {
  return `/?${new URLSearchParams(after === '' ? { q: question } : { q: question, after })}`;
}

/** Reads the answers of whoever is signed in. */
export function loadKeptAnswers(): void {
  keptAnswers.value = bounded(storedAnswers() ?? [], Date.now());
}

/** Keeps an answer; an earlier one to the same question gives way, and leaves its rating. */
export function keepAnswer(answer: KeptAnswer): void {
  // An answer that was under way while its reader signed out.
  if (!session.peek()) return;
  // Another tab may have kept some meanwhile.
  const others = (storedAnswers() ?? keptAnswers.peek()).filter((each) => !isSameQuestion(each, answer));
  store(bounded([withRating(answer, keptRating(answer)), ...others], Date.now()));
}

/** Keeps with an answer what the administrators were told of it; undefined: nothing any more. */
export function keepRating(question: Question, rated: RatingVerdict | undefined): void {
  const answers = storedAnswers() ?? keptAnswers.peek();
  store(answers.map((each) => (isSameQuestion(each, question) ? withRating(each, rated) : each)));
}

/** Returns what the administrators were told of the answer to a question, as far as this browser has kept it. */
export function keptRating(question: Question): RatingVerdict | undefined {
  return keptAnswers.peek().find((each) => isSameQuestion(each, question))?.rated;
}

function withRating({ rated: _, ...answer }: KeptAnswer, rated: RatingVerdict | undefined): KeptAnswer {
  return rated === undefined ? answer : { ...answer, rated };
}

/** Forgets all answers of this member in this browser. */
export function forgetAnswers(): void {
  store([]);
}

/** Returns those of the answers, newest first, that are kept. */
export function bounded(answers: readonly KeptAnswer[], now: number): KeptAnswer[] {
  let characters = 0;
  return answers.slice(0, maxAnswers).filter((answer) => {
    characters += JSON.stringify(answer).length;
    return characters <= maxCharacters && now - Date.parse(answer.at) < maxAgeMs;
  });
}

function store(answers: readonly KeptAnswer[]): void {
  keptAnswers.value = answers;
  try {
    localStorage.setItem(storageName(), JSON.stringify(answers));
  } catch {
    // Without storage they last as long as the page.
  }
}

/** Returns undefined if the browser lets this page store nothing, or if the stored text is damaged. */
function storedAnswers(): KeptAnswer[] | undefined {
  try {
    const stored = JSON.parse(localStorage.getItem(storageName()) ?? '[]');
    return Array.isArray(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Named as drafts are, which are erased when their author signs out. */
function storageName(): string {
  return ownStorageName('answers');
}
