// Runs `tms` again and again in one process, as another process tells it: a start takes longer than all that is recorded.
import { setTimeout as delay } from 'node:timers/promises';
import { runTms } from '../../libs/cli/src/testing/run-tms.fixture.ts';

const env = Object.fromEntries(Object.entries(process.env).map(([name, value = '']) => [name, value]));

process.on('message', async ({ args, cwd }: { args: string[]; cwd: string }) => {
  const now = () => new Date();
  const { exitCode: code, stdout, stderr } = await runTms(args, { env, cwd, now, sleep: (ms) => delay(ms) });
  process.send?.({ code, stdout, stderr });
});
