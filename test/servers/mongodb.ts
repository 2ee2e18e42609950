// A MongoDB server for one test run, as a program of its own: it prints one line of JSON, `{ name, url }` or
// `{ reason }`, and runs until its standard input closes. The system closes that however the test run ends,
// so that no server outlives a crash. `--prepare` only installs what is needed and prints `{ name }` or `{ reason }`.
import { chooseMongodb } from './choose-mongodb.ts';
import { startMongodb } from './start-mongodb.ts';

function print(answer: { name: string; url?: string } | { reason: string }): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

async function untilNobodyNeedsIt(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.stdin.on('close', resolve).on('error', resolve).resume();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  await promise;
}

const choice = await chooseMongodb(process.env);
if ('reason' in choice) {
  print(choice);
} else if (process.argv.includes('--prepare')) {
  print({ name: choice.name });
} else {
  const ended = untilNobodyNeedsIt();
  const server = await startMongodb(choice);
  print({ name: choice.name, url: server.url });
  await ended;
  await server.stop();
  process.exit(0);
}
