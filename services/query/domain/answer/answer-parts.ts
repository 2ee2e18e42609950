import type { Answer, ClosestNote, Source } from '../citations/answer.ts';

/** More text of an answer, or, once and last, what it rests on. */
export type AnswerPart = { kind: 'delta'; text: string } | AnswerSources;

/** What an answer rests on, and where it rests on nothing, the notes that come closest. */
export interface AnswerSources {
  kind: 'sources';
  sources: readonly Source[];
  closest?: readonly ClosestNote[];
}

/** A stream that is read part by part; the next one is asked for when the last has come. */
export interface PartStream<Part> extends AsyncIterable<Part, undefined> {
  next(): Promise<IteratorResult<Part, undefined>>;
  /** The reader wants no more: ends the work and waits until it has ended. */
  return(): Promise<IteratorResult<Part, undefined>>;
}

/**
 * Takes a part. If it returns a promise, the reader has not caught up, and nothing more should be made until the
 * promise resolves: when the reader has caught up, or the work is to end.
 */
export type GivePart<Part> = (part: Part) => Promise<void> | undefined;

/** Why the work's signal aborts when its reader wants no more; made once, for its stack says nothing. */
const readerLeft = new Error('the reader left');

/**
 * Makes a stream of what `work` gives, in order, and of how it ended. The work
 * begins when the stream is first read; its signal aborts with that of the
 * reader, and when the reader leaves. Generators within generators would say
 * the same, but each takes several turns of the microtask queue for each part.
 */
export function partStream<Part extends object>(
  work: (give: GivePart<Part>, signal: AbortSignal) => Promise<void>,
  reader: AbortSignal,
): PartStream<Part> {
  const leaving = new AbortController();
  const given: Part[] = [];
  let asked: PromiseWithResolvers<IteratorResult<Part, undefined>> | undefined;
  let caughtUp: PromiseWithResolvers<void> | undefined;
  let running: Promise<void> | undefined;
  let isOver = false;
  let failure: { error: unknown } | undefined;

  function give(part: Part): Promise<void> | undefined {
    if (asked === undefined) {
      given.push(part);
      caughtUp ??= Promise.withResolvers();
      if (leaving.signal.aborted) letGoOn();
      return caughtUp?.promise;
    }
    asked.resolve({ done: false, value: part });
    asked = undefined;
    return undefined;
  }

  function letGoOn(): void {
    caughtUp?.resolve();
    caughtUp = undefined;
  }

  function leave(reason: unknown): void {
    leaving.abort(reason);
    letGoOn();
  }

  async function run(): Promise<void> {
    const follow = () => leave(reader.reason);
    if (reader.aborted) follow();
    reader.addEventListener('abort', follow, { once: true });
    try {
      await work(give, leaving.signal);
    } catch (error) {
      failure = { error };
    } finally {
      reader.removeEventListener('abort', follow);
      isOver = true;
      tellEnd();
    }
  }

  /** Ends the stream for a reader who waits for a part. An error is thrown only once. */
  function tellEnd(): void {
    if (failure === undefined) asked?.resolve({ done: true, value: undefined });
    else asked?.reject(failure.error);
    if (asked !== undefined) failure = undefined;
    asked = undefined;
  }

  return {
    next() {
      if (reader.aborted && given.length > 0) {
        given.length = 0;
        failure ??= { error: reader.reason };
      }
      const part = given.shift();
      if (part !== undefined) {
        if (given.length === 0) letGoOn();
        return Promise.resolve({ done: false, value: part });
      }
      asked = Promise.withResolvers();
      const { promise } = asked;
      if (isOver) tellEnd();
      else running ??= run();
      return promise;
    },
    async return() {
      isOver ||= running === undefined;
      leave(readerLeft);
      await running;
      given.length = 0;
      failure = undefined;
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Passes on an extractive answer part by part, beginning with its introduction. Throws the signal's reason. */
export async function giveQuotes(
  { parts, sources, closest = [] }: Answer,
  { give, signal }: { give: GivePart<AnswerPart>; signal: AbortSignal },
  introduction = '',
): Promise<void> {
  for (const [index, text] of parts.entries()) {
    await give({ kind: 'delta', text: index === 0 ? introduced(introduction, text) : text });
    signal.throwIfAborted();
  }
  await give({ kind: 'sources', sources, closest });
}

/** A table, a list or code is one only at the beginning of a line. */
function introduced(introduction: string, text: string): string {
  if (introduction === '') return text;
  return introduction + (/^\p{L}/u.test(text) ? ' ' : '\n\n') + text;
}
