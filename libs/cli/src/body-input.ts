import { spawn } from 'node:child_process';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { maxContentBytes } from '@teammemory/vocabulary/limits.ts';
import type { CliContext } from './cli-context.ts';
import { CliError, usageError } from './cli-error.ts';
import { readStandardInput } from './input.ts';

/**
 * Returns the text that an option means: `-` is standard input, `@path` a file, anything else the text itself; `@@` at the
 * start stands for `@`. Throws a usage error for a file that cannot be read, is not UTF-8 or has more than 1 MiB.
 */
export async function bodyFrom(given: string, context: CliContext): Promise<string> {
  if (given === '-') return readStandardInput(context, maxContentBytes);
  if (given.startsWith('@@')) return given.slice(1);
  if (!given.startsWith('@')) return given;
  return readBody(resolve(context.cwd, given.slice(1)));
}

async function readBody(path: string): Promise<string> {
  const file = await open(path, 'r').catch((cause: Error) => {
    throw usageError(`${path} cannot be read: ${cause.message}`);
  });
  try {
    if (!(await file.stat()).isFile()) throw usageError(`${path} is not a file.`);
    const buffer = Buffer.alloc(maxContentBytes + 1);
    let length = 0;
    for (let read = 1; read > 0 && length < buffer.length; length += read) {
      read = (await file.read(buffer, length, buffer.length - length)).bytesRead;
    }
    if (length > maxContentBytes) throw usageError(`${path} has more than ${maxContentBytes} bytes.`);
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, length));
  } catch (thrown) {
    if (thrown instanceof TypeError) throw usageError(`${path} is not UTF-8 text.`);
    throw thrown;
  } finally {
    await file.close();
  }
}

export function hasEditor({ env }: Pick<CliContext, 'env'>): boolean {
  return editorOf(env) !== '';
}

function editorOf(env: CliContext['env']): string {
  return (env.VISUAL || env.EDITOR || '').trim();
}

/**
 * Opens a text in the user's editor and gives what was saved to `store`. Returns undefined if nothing was changed. If
 * storing fails the text stays in a file that the error names, because typing it again would be worse.
 */
export async function editInEditor<Stored>(
  text: string,
  context: CliContext,
  store: (edited: string) => Promise<Stored>,
): Promise<Stored | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'tms-edit-'));
  const path = join(folder, 'body.md');
  let keep = false;
  try {
    await writeFile(path, text, { mode: 0o600 });
    await runEditor(path, context);
    const edited = await readFile(path, 'utf8');
    if (edited === text) return undefined;
    keep = true;
    const stored = await store(edited);
    keep = false;
    return stored;
  } finally {
    if (keep) context.stderr.write(`tms: what you wrote is kept in ${path}\n`);
    else await rm(folder, { recursive: true, force: true });
  }
}

/** `$EDITOR` may have arguments, as in `code --wait`. No shell reads it. */
async function runEditor(path: string, { env }: CliContext): Promise<void> {
  const [program = '', ...args] = editorOf(env).split(/\s+/);
  const child = spawn(program, [...args, path], { stdio: 'inherit', shell: false });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', (cause) =>
      reject(new CliError('no_editor', `${program} cannot be started: ${cause.message}`)),
    );
  });
  if (code !== 0)
    throw new CliError('editor_failed', `${program} ended with ${code ?? 'a signal'}; nothing was stored.`);
}
