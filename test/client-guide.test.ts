import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam } from './support/http/key-holder.ts';
import { runToEnd } from './support/service/run-program.ts';
import { sharedService } from './support/service/shared-service.ts';

// The programs of docs/client-guide.md, as a reader copies them.

const service = sharedService();
const guide = join(import.meta.dirname, '../docs/client-guide.md');
let directory: TemporaryDirectory;

beforeEach(async () => {
  directory = await temporaryDirectory();
});

afterEach(() => directory.remove());

/** Copies a program out of the guide: the block that begins with its name. Returns its path. */
async function copyFromGuide(name: string): Promise<string> {
  const [, program] =
    new RegExp(`^\`\`\`js\\n(// ${name} [\\s\\S]*?)^\`\`\`$`, 'm').exec(await readFile(guide, 'utf8')) ?? [];
  if (program === undefined) throw new Error(`docs/client-guide.md has no ${name}`);
  const path = join(directory.path, name);
  await writeFile(path, program);
  return path;
}

test('ask.mjs prints the answer and its sources, and fails with the reason it was refused for', async () => {
  const clients = await newTeam(service());
  await clients.team.push(item('deploying.md', '# Deploying\n\nWe deploy every Tuesday at ten.\n'));
  const program = await copyFromGuide('ask.mjs');
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
