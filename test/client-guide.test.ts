import { join } from 'node:path';
import { expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam } from './support/http/key-holder.ts';
import { runToEnd } from './support/service/run-program.ts';
import { sharedService } from './support/service/shared-service.ts';

const service = sharedService();
const program = join(import.meta.dirname, '../docs/examples/ask.mjs');

test('ask.mjs prints the answer and its sources, and fails with the reason it was refused for', async () => {
  const clients = await newTeam(service());
  await clients.team.push(item('deploying.md', '# Deploying\n\nWe deploy every Tuesday at ten.\n'));
  const ask = (key: string) =>
    runToEnd(process.execPath, [program, 'When do we deploy?'], {
      PATH: process.env.PATH ?? '',
      TMS_URL: service().url,
      TMS_TEAM: clients.slug,
      TMS_KEY: key,
    });
  expect(await ask(clients.teamKey)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/Tuesday at ten\. \[1\]\s+\[1\] deploying\.md\n$/),
  });
  expect(await ask('tms_x')).toMatchObject({ code: 1, stderr: expect.stringContaining('(invalid_key)') });
});
