import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program to its end and returns its standard output. Throws Error with all its output if it fails. */
export async function run(program: string, parameters: string[], folder: string): Promise<string> {
  // On Windows npm and tsc are scripts, which only a shell starts.
  const child = spawn(program, parameters, { cwd: folder, shell: process.platform === 'win32' });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ${parameters.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
}
