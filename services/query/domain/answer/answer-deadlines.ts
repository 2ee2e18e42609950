import { AppError } from '@teammemory/errors/app-error.ts';

/** How long to wait for a model, in milliseconds. */
export interface AnswerTimeLimits {
  /** From the call to the first thing that the model writes, a second try included. */
  firstTokenMs: number;
  /** From one thing that it writes to the next. */
  idleMs: number;
  /** From the call to the end of the answer. */
  totalMs: number;
}

/**
 * A reader accepts half a minute before the first word; models that write do
 * not pause; the whole stays below the two minutes that an answer may take.
 */
export const answerTimeLimits: AnswerTimeLimits = { firstTokenMs: 30_000, idleMs: 15_000, totalMs: 90_000 };

/** The deadlines of one answer. */
export interface AnswerDeadlines {
  /** Aborts with the reason of the reader's, or with an AppError `unavailable` when a deadline passes. */
  signal: AbortSignal;
  /** The model wrote something: the wait for it is over. */
  heard(): void;
  /** More is waited for: from now on the model may be silent for `idleMs`. */
  listening(): void;
  /** Ends the answer now, as a deadline does. */
  breakOff(why: string): void;
  /** Nothing is waited for any more. */
  end(): void;
}

/**
 * Starts the deadlines of an answer, which `reader` ends early. A reader who
 * takes their time is not counted as silence of the model.
 */
export function startAnswerDeadlines(limits: AnswerTimeLimits, reader: AbortSignal): AnswerDeadlines {
  // One controller: a signal of `AbortSignal.any` looks at all its sources each time that it is asked.
  const controller = new AbortController();
  const leave = () => controller.abort(reader.reason);
  if (reader.aborted) leave();
  reader.addEventListener('abort', leave, { once: true });
  const breakOff = (why: string) => controller.abort(new AppError('unavailable', why));
  const total = setTimeout(breakOff, limits.totalMs, 'The model took too long for its answer.');
  const first = setTimeout(breakOff, limits.firstTokenMs, 'The model did not begin its answer in time.');
  let isListening = false;
  let isOver = false;
  /** Set back for every chunk rather than made anew: thousands of streams have many a second. */
  let silence: NodeJS.Timeout | undefined;
  const silent = () => {
    if (isListening) breakOff('The model fell silent in its answer.');
  };
  return {
    signal: controller.signal,
    heard() {
      isListening = false;
      if (silence === undefined) clearTimeout(first);
    },
    listening() {
      if (isOver) return;
      isListening = true;
      silence = silence?.refresh() ?? setTimeout(silent, limits.idleMs);
    },
    breakOff,
    end() {
      isOver = true;
      clearTimeout(total);
      clearTimeout(first);
      clearTimeout(silence);
      reader.removeEventListener('abort', leave);
    },
  };
}
