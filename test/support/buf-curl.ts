import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const program = join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'buf');
/** It takes a tenth of a second; a loaded machine several times that. */
const timeoutMs = 30_000;

/** Runs `buf curl`, a foreign client, over HTTP/2 without TLS; answers what it wrote. @throws Error when it failed. */
export async function bufCurl(...args: string[]): Promise<string> {
  const { stdout } = await run(program, ['curl', '--http2-prior-knowledge', ...args], { timeout: timeoutMs });
  return stdout;
}

/** The full names of all methods that a listener says it has, by its reflection: `grpc-v1` or `grpc-v1alpha`. */
export async function reflectedMethods(rpcUrl: string, version = 'grpc-v1'): Promise<string[]> {
  const listed = await bufCurl('--list-methods', '--reflect-protocol', version, rpcUrl);
  return listed.split('\n').filter((line) => line !== '');
}
