import { Readable, Writable } from 'node:stream';
import type { CliContext } from '../cli-context.ts';
import { runProgram } from '../program.ts';
import type { TextStream } from '../terminal.ts';

export interface RunOutcome {
  exitCode: number;
  stdout: string;
  stderr: string;
  /** Waits asked for, in milliseconds. None of them took time. */
  waits: number[];
}

/** Runs the program in this process, in another world: no environment, no terminal and no waiting. */
export async function runTms(args: string[], context: Partial<CliContext> = {}): Promise<RunOutcome> {
  const stdout = collector();
  const stderr = collector();
  const waits: number[] = [];
  const exitCode = await runProgram(args, {
    env: {},
    cwd: '/',
    program: ['/opt/node', '/opt/tms/bin/tms.js'],
    stdin: Readable.from([]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    signal: new AbortController().signal,
    now: () => new Date('2026-11-21T00:00:00.000Z'),
    sleep: async (ms) => {
      waits.push(ms);
    },
    ...context,
  });
  return { exitCode, stdout: stdout.text(), stderr: stderr.text(), waits };
}

function collector(): { stream: TextStream; text(): string } {
  let text = '';
  const stream = new Writable({
    write: (chunk, _, done) => {
      text += chunk;
      done();
    },
  });
  return { stream, text: () => text };
}
