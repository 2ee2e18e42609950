import { setImmediate as nextTurn } from 'node:timers/promises';
import { untilAborted } from '@teammemory/async/until-aborted.ts';

/** How long a question waits for a call before its own: a service that is slow must not make it wait twice. */
const patienceMs = 100;

/**
 * Makes one call at a time for all who ask the same. The call under way may
 * have missed what somebody who asks now knows about, so those who come
 * meanwhile share the next one: an answer is never older than its question. A
 * failure reaches those who share the call, and nobody else.
 */
export function createBurstSingleFlight<Answer>(): (
  question: string,
  call: () => Promise<Answer>,
) => Promise<Answer> {
  const underWay = new Map<string, Promise<Answer>>();
  const waiting = new Map<string, Promise<Answer>>();

  async function start(question: string, call: () => Promise<Answer>): Promise<Answer> {
    const answer = call();
    underWay.set(question, answer);
    try {
      return await answer;
    } finally {
      // A slow one may have been overtaken.
      if (underWay.get(question) === answer) underWay.delete(question);
    }
  }

  async function startNext(question: string, call: () => Promise<Answer>): Promise<Answer> {
    const before = underWay.get(question);
    if (before !== undefined) {
      await untilAborted(before, AbortSignal.timeout(patienceMs)).catch(() => undefined);
    }
    // Readers come in bursts, such as those who were just answered: what they send meanwhile is read in these turns of
    // the event loop, and they share this call instead of waiting for another.
    await nextTurn();
    await nextTurn();
    waiting.delete(question);
    return start(question, call);
  }

  return (question, call) => waiting.getOrInsertComputed(question, () => startNext(question, call));
}
