import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { startModelServer } from '@teammemory/testkit/model-server.ts';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { api, item } from './support/http/api.ts';
import { readEvents } from './support/http/events.ts';
import { connectTo, startSlowRequest } from './support/http/slow-request.ts';
import { programEnvironment, type StartedService, startService } from './support/service/running-service.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
/** Far below the 20 s after which the program would cut what is under way. */
const drainedWithinMs = 10_000;
/** Limits for what hangs, on a loaded machine. */
const [startedWithinMs, timeoutMs] = [60_000, 90_000];

let directory: TemporaryDirectory;
let service: StartedService | undefined;
beforeEach(async () => {
  directory = await temporaryDirectory();
});
afterEach(async () => {
  await service?.remove();
  await directory.remove();
});

test('healthz and readyz answer without a key while the service is up', async () => {
  service = await startService({ dataDirectory: directory.path });
  for (const path of ['/healthz', '/readyz']) {
    const { status, headers } = await fetch(`${service.url}${path}`);
    expect(status, path).toBe(200);
    expect(headers.get('x-request-id'), path).not.toBeNull();
  }
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} lets a push and a question under way finish, then the program ends with 0`, async () => {
    service = await startService({ dataDirectory: directory.path });
    const team = await service.createTeam();
    await api(service, team, team.teamKey, '/api/v1/items', {
      body: { items: [item('before.md', 'Otters swim.')] },
    });
    const late = item('late.md', 'Badgers dig.');
    const push = await startSlowRequest(service, team, '/api/v1/items', { items: [late] });
    const question = await startSlowRequest(service, team, '/api/v1/query', { q: 'Who does swim? Otters?' });
    // A connection without a request must not hold the program up.
    const idle = await connectTo(service);

    const { url } = service;
    const ended = endsWithin(service.end(signal), drainedWithinMs);
    await eventually('no new connections', () =>
      connectTo({ url }).then(
        () => false,
        () => true,
      ),
    );
    const pushed = await push.finish();
    expect(pushed.status).toBe(200);
    const answer = await question.finish();
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"row_key":"before.md"');
    expect(answer.text).toContain('event: done\ndata: {}');
    expect(await ended).toBe(0);
    idle.destroy();

    service = await startService({ dataDirectory: directory.path });
    const { body } = await api(service, team, team.teamKey, '/api/v1/items');
    expect(body.items.at(-1)).toMatchObject({ row_key: 'late.md', content: 'Badgers dig.' });
  });

  test(`${signal} reaches the program through npm start, which ends with 0`, {
    timeout: timeoutMs,
  }, async () => {
    // Without the scripts around it: they may install packages, which is not what is tested here.
    const npm = spawn('npm', ['start', '--ignore-scripts'], {
      cwd: repository,
      env: programEnvironment(directory.path),
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that nothing below it can outlive the test; npm alone is sent the signal.
      detached: true,
    });
    let output = '';
    for (const stream of [npm.stdout, npm.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const exited = once(npm, 'exit').then(([code]) => code as number | null);
    try {
      const address = () => /http:\/\/[\d.:]+(?=\/api\/v1)/.exec(output)?.[0];
      const url = await eventually('a start', address, { withinMs: startedWithinMs });
      npm.kill(signal);
      expect(await endsWithin(exited, drainedWithinMs), output).toBe(0);
      await expect(connectTo({ url })).rejects.toThrow();
    } finally {
      killGroup(npm);
    }
  });
}

test('the reader of an answer that takes too long is told that the program goes, which then ends with 0', {
  timeout: timeoutMs,
}, async () => {
  // A model that begins an answer and never goes on.
  const model = await startModelServer((reply) => reply.text('In the harbour '));
  try {
    service = await startService({
      dataDirectory: directory.path,
      environment: {
        OPENAI_API_KEY: 'sk-0123456789abcdef',
        OPENAI_BASE_URL: model.baseUrl,
        OPENAI_MODEL: 'writer',
        MODEL_PRICES: '{"writer":{"input":1,"output":2}}',
      },
    });
    const team = await service.createTeam();
    const swim = { items: [item('otter.md', 'Otters swim in the harbour.')] };
    await api(service, team, team.teamKey, '/api/v1/items', { body: swim });
    const question = api(service, team, team.teamKey, '/api/v1/query', {
      body: { q: 'Where do otters swim?' },
    });
    await eventually('the model is asked', () => model.requests.length > 0);
    const ended = endsWithin(service.end('SIGTERM'), 2 * drainedWithinMs);
    const { body } = await question;
    expect(body).toContain('In the harbour');
    const [last] = readEvents(body).slice(-1);
    expect(last).toMatchObject({ event: 'error', data: { code: 'unavailable' } });
    expect(await ended).toBe(0);
  } finally {
    await model.stop();
  }
});

function killGroup(leader: ChildProcess): void {
  try {
    process.kill(-Number(leader.pid), 'SIGKILL');
  } catch (error) {
    // No such process: all of it has ended, as it should.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function endsWithin(ended: Promise<number | null>, limitMs: number): Promise<number | null> {
  const limit = AbortSignal.timeout(limitMs);
  return Promise.race([
    ended,
    once(limit, 'abort').then(() => Promise.reject(new Error(`it did not end within ${limitMs} ms`))),
  ]);
}
