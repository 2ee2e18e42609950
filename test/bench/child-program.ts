import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A program of this folder that answers messages, one at a time. */
export interface ChildProgram {
  ask(question: unknown): Promise<unknown>;
  end(): void;
}

/** Starts a program of this folder; it ends with this process at the latest. */
export function startChildProgram(file: string): ChildProgram {
  const child = fork(join(import.meta.dirname, file), { serialization: 'advanced' });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with ${code}`);
  });
  failed.catch(() => undefined);
  return {
    async ask(question) {
      const answer = once(child, 'message');
      child.send(question as object);
      return (await Promise.race([answer, failed]))[0];
    },
    end: () => child.disconnect(),
  };
}
