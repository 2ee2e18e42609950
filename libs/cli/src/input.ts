import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { maxQuestionCharacters } from '@teammemory/vocabulary/limits.ts';
import type { CliContext } from './cli-context.ts';
import { CliError, usageError } from './cli-error.ts';
import { readAtMost } from './read-at-most.ts';

/** A character has at most four bytes in UTF-8. */
const maxQuestionBytes = 4 * maxQuestionCharacters;

type InputContext = Pick<CliContext, 'stdin' | 'stderr' | 'signal'>;

/** True if the user sits at a terminal and can be asked. */
export function canAsk({ stdin, stderr }: InputContext): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Asks on the terminal and returns the line, or `fallback` for an empty one. Throws CliError `cancelled`. */
export async function askLine(context: InputContext, question: string, fallback = ''): Promise<string> {
  const shown = fallback === '' ? `${question}: ` : `${question} [${fallback}]: `;
  return (await readLine(context, shown, context.stderr)).trim() || fallback;
}

/** Asks on the terminal without showing what is typed. Throws CliError `cancelled`. */
export async function askSecret(context: InputContext, question: string): Promise<string> {
  const nothing = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    return (await readLine(context, '', nothing, `${question}: `)).trim();
  } finally {
    context.stderr.write('\n');
  }
}

function readLine(
  { stdin, stderr, signal }: InputContext,
  question: string,
  output: NodeJS.WritableStream,
  /** Shown on the terminal where `output` is not. */
  prompt = '',
): Promise<string> {
  return new Promise((resolve, reject) => {
    // In terminal mode readline itself echoes, to `output`, and the terminal does not.
    const reader = createInterface({ input: stdin, output, terminal: true });
    let answered = false;
    const cancel = () => reader.close();
    signal.addEventListener('abort', cancel, { once: true });
    reader.once('SIGINT', cancel);
    reader.once('close', () => {
      signal.removeEventListener('abort', cancel);
      if (!answered) reject(new CliError('cancelled', 'Cancelled.'));
    });
    reader.question(question, (answer) => {
      answered = true;
      reader.close();
      resolve(answer);
    });
    // Only now: what is typed as soon as the prompt is there must not be echoed either.
    if (prompt !== '') stderr.write(prompt);
    if (signal.aborted) cancel();
  });
}

/**
 * Reads standard input to its end as UTF-8. Throws a usage error for more than `maxBytes`, and where a terminal would
 * have to be typed on without a question.
 */
export async function readStandardInput(context: InputContext, maxBytes: number): Promise<string> {
  const stop = () => {
    if ('destroy' in context.stdin) (context.stdin as NodeJS.ReadStream).destroy();
  };
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    const refusal = () => usageError(`Standard input has more than ${maxBytes} bytes.`);
    return await readAtMost(context.stdin, maxBytes, refusal);
  } catch (thrown) {
    if (context.signal.aborted) throw new CliError('cancelled', 'Cancelled.');
    throw thrown;
  } finally {
    context.signal.removeEventListener('abort', stop);
  }
}

/**
 * Returns the question that is the rest of the line, or the one on standard input for `-` and for nothing. Throws a usage
 * error, which shows `example`, if there is none.
 */
export async function readQuestion(
  words: readonly string[],
  context: InputContext,
  example: string,
): Promise<string> {
  const fromInput = words.length === 0 || (words.length === 1 && words[0] === '-');
  if (!fromInput) return words.join(' ');
  if (words.length === 0 && context.stdin.isTTY) throw usageError(`The question is missing: ${example}`);
  const question = (await readStandardInput(context, maxQuestionBytes)).trim();
  if (question === '') throw usageError('The question is empty.');
  return question;
}
