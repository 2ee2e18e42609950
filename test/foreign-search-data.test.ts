import { randomUUID } from 'node:crypto';
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { keyHolder, newTeam } from './support/http/key-holder.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { type StartedService, startService } from './support/service/running-service.ts';
import { plentyOfWrites } from './support/service/shared-service.ts';

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

test('after an older content.sqlite came back that differs in decisions alone, no answer rests on a decision that it does not have', async () => {
  const directory = await temporaryDirectory();
  const backup = await temporaryDirectory();
  const run = () =>
    startService({
      dataDirectory: directory.path,
      environment: { ...plentyOfWrites, INDEX_REFRESH_SECONDS: '0' },
    });
  try {
    const first = await run();
    const created = await newTeam(first);
    const decide = (service: StartedService, title: string, body: string) =>
      asAdministrator(service, (admin) =>
        admin.decisions(created.slug).create({ title, body, audience: 'team' }),
      );
    // Smaller indexes have no file.
    for (let push = 0; push < 20; push += 1) {
      const words = (number: number) =>
        Array.from({ length: 400 }, (_, word) => `w${number}x${word}`).join(' ');
      const numbers = Array.from({ length: 20 }, (_, number) => push * 20 + number);
      await created.team.push(...numbers.map((number) => item(`notes/${number}.md`, words(number))));
    }
    await created.team.push(item('notes/anchor.md', 'The anchor weighs nine tons.'));
    expect((await created.team.ask('How heavy is the anchor?')).sources).toHaveLength(1);
    await first.end();
    await copyFiles('content.sqlite', directory.path, backup.path);

    const second = await run();
    const later = keyHolder(second, created, created.teamKey);
    await decide(second, 'Grease of the capstan', 'The capstan needs whale grease.');
    expect((await later.ask('Which grease does the capstan need?')).sources).toHaveLength(1);
    await second.end();
    expect(await readdir(join(directory.path, 'indexes'))).toHaveLength(1);
    await copyFiles('content.sqlite', backup.path, directory.path);

    const third = await run();
    const team = keyHolder(third, created, created.teamKey);
    for (const word of ['lobster', 'oyster', 'prawn'])
      await decide(third, `Place of the ${word}`, `The ${word} is in the harbour.`);
    expect((await team.ask('Which grease does the capstan need?')).sources).toEqual([]);
    expect((await team.ask('Where is the lobster?')).sources).not.toEqual([]);
    await third.end();
  } finally {
    await directory.remove();
    await backup.remove();
  }
});

test('a service whose restore was interrupted starts, so that it can be run again, also beside search data of earlier content', async () => {
  const directory = await temporaryDirectory();
  const run = () => startService({ dataDirectory: directory.path });
  try {
    const first = await run();
    const created = await newTeam(first);
    await created.team.push(item('notes/anchor.md', 'The anchor weighs nine tons.'));
    expect((await created.team.ask('How heavy is the anchor?')).sources).toHaveLength(1);
    await first.end();
    for (const name of ['content', 'auth', 'analytics'])
      for (const ending of ['', '-wal', '-shm'])
        await rm(join(directory.path, `${name}.sqlite${ending}`), { force: true });

    const second = await run();
    await asAdministrator(second, ({ backup }) => backup.content.begin(randomUUID()));
    await second.end('SIGKILL');
    const third = await run();
    expect(await (await fetch(`${third.url}/readyz`)).json()).toMatchObject({ degraded: ['content'] });
    await third.end();
  } finally {
    await directory.remove();
  }
});
