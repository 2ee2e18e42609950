import { chancePause, type SeededRandom } from '@teammemory/testkit/seeded-random.ts';

/** A stream of the numbers from 1 to `length`, which comes as chance will have it and may break at its end. */
export function chanceStream(random: SeededRandom) {
  const [length, fails] = [random.integerBelow(6), random.chance(0.3)];
  let isClosed = false;
  async function* messages() {
    try {
      for (let number = 1; number <= length; number += 1) {
        await chancePause(random);
        yield number;
      }
      await chancePause(random);
      if (fails) throw new Error('broken');
    } finally {
      isClosed = true;
    }
  }
  return { messages: messages(), length, wholeEnd: fails ? 'broken' : 'done', isClosed: () => isClosed };
}

/**
 * Reads the numbers to their end, and `leave` while the one after `leaveAfter`
 * is asked for; answers them and how they ended: `done`, or by what error.
 */
export async function readNumbers(
  stream: AsyncIterator<number>,
  leaveAfter: number,
  leave: () => Promise<unknown>,
): Promise<{ numbers: number[]; ended: string }> {
  const numbers: number[] = [];
  for (;;) {
    const next = stream.next().catch((error: Error) => error.message);
    if (numbers.length === leaveAfter) await leave();
    const read = await next;
    if (typeof read === 'string') return { numbers, ended: read };
    if (read.done === true) return { numbers, ended: 'done' };
    numbers.push(read.value);
  }
}
