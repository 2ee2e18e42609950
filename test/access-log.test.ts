import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam } from './support/http/key-holder.ts';
import { startService } from './support/service/running-service.ts';

const secretWord = 'xylophone';

test('at level debug each request and each RPC is a line, and no line has a name, a text or a key', async () => {
  const service = await startService({ environment: { LOG_LEVEL: 'debug' } });
  try {
    const { team, slug } = await newTeam(service);
    await team.push(item(`notes/${secretWord}.md`, `The ${secretWord} is out of tune.`));
    await team.call(`/items/notes%2F${secretWord}.md`, { headers: { 'x-request-id': 'request-18' } });
    await team.ask(`Where is the ${secretWord}?`);
    const answered = () =>
      service
        .output()
        .stderr.split('\n')
        .filter((line) => line.includes('"msg":"answered'));
    await eventually('the lines of the question', () =>
      answered().some((line) => /\/api\/v1\/query/.test(line)),
    );
    const text = service.output().stderr;
    const lines = answered().map((line) => JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'debug',
        msg: 'answered',
        method: 'GET',
        route: '/api/v1/items/*',
        status: 200,
        team: slug,
        request_id: 'request-18',
        key_id: team.key.split('_')[1],
        address: '127.0.0.1',
        milliseconds: expect.any(Number),
        bytes: expect.any(Number),
      }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'debug',
        msg: 'answered a call',
        service: 'teammemory.content.v1.ContentService',
        method: 'GetItem',
        code: 'ok',
        request_id: 'request-18',
      }),
    );
    for (const secret of [secretWord, team.key]) expect(text).not.toContain(secret);
  } finally {
    await service.remove();
  }
});

test('at level info no request has a line', async () => {
  const service = await startService();
  try {
    const { team } = await newTeam(service);
    expect((await team.pull()).status).toBe(200);
    expect(service.output().stderr).not.toContain('"msg":"answered');
  } finally {
    await service.remove();
  }
});
