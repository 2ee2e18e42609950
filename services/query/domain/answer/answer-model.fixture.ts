import type { AnswerModel, ModelChunk, ModelPrompt } from './answer-model.ts';

/** What a scripted model does in one call: gives these texts and chunks, and throws these errors, in this order. */
export type ModelTurn = readonly (string | ModelChunk | Error | 'silence')[];

/** Stands for a model that writes nothing more, however long one waits. */
export const silence = 'silence';

/** A model that does as it is told, one turn a call. */
export function scriptedModel(...turns: ModelTurn[]): AnswerModel & { prompts: ModelPrompt[] } {
  const prompts: ModelPrompt[] = [];
  return {
    name: 'writer',
    prompts,
    async write(prompt, { take, signal }) {
      prompts.push(prompt);
      for (const step of turns[prompts.length - 1] ?? []) {
        if (step instanceof Error) throw step;
        if (step === silence) await untilAborted(signal);
        else
          await take(typeof step === 'string' ? { text: step, writtenBytes: Buffer.byteLength(step) } : step);
        signal.throwIfAborted();
      }
    },
  };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
