import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { keyHolder, newTeam } from './support/http/key-holder.ts';
import { startService } from './support/service/running-service.ts';

/** The files of a stopped service with this beginning, their logs included. */
async function copyFiles(name: string, from: string, to: string): Promise<void> {
  for (const ending of ['', '-wal', '-shm']) {
    await rm(join(to, name + ending), { force: true });
    await cp(join(from, name + ending), join(to, name + ending), { force: true }).catch((error) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}

test('after an older content.sqlite came back alone, no answer rests on what it does not have', async () => {
  const directory = await temporaryDirectory();
  const backup = await temporaryDirectory();
  const run = () => startService({ dataDirectory: directory.path });
  try {
    const first = await run();
    const created = await newTeam(first);
    await created.team.push(item('notes/anchor.md', 'The anchor weighs nine tons.'));
    expect((await created.team.ask('How heavy is the anchor?')).sources).toHaveLength(1);
    await first.end();
    await copyFiles('content.sqlite', directory.path, backup.path);

    const second = await run();
    const later = keyHolder(second, created, created.teamKey);
    await later.push(item('notes/capstan.md', 'The capstan needs grease.'));
    expect((await later.ask('What does the capstan need?')).sources).toHaveLength(1);
    await second.end();
    await copyFiles('content.sqlite', backup.path, directory.path);

    const third = await run();
    const team = keyHolder(third, created, created.teamKey);
    for (const word of ['lobster', 'oyster', 'prawn'])
      await team.push(item(`notes/${word}.md`, `The ${word} is in the harbour.`));
    expect((await team.ask('What does the capstan need?')).sources).toEqual([]);
    expect((await team.ask('Where is the lobster?')).sources).toMatchObject([
      { row_key: 'notes/lobster.md' },
    ]);
    expect((await team.ask('How heavy is the anchor?')).sources).toHaveLength(1);
    await third.end();
  } finally {
    await directory.remove();
    await backup.remove();
  }
});
