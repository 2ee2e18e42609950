import { eventually } from '@teammemory/testkit/eventually.ts';
import type { ModelScript } from '@teammemory/testkit/model-server.ts';
import { describe, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { embed, embeddingProgram, found, untilFoundByMeaning } from './support/models/embedding-program.ts';

const timeoutMs = 90_000;
/** A question waits 1.5 s for its vector, where a batch may take a minute; the rest is for a machine that is busy. */
const answerMs = 20_000;
const program = embeddingProgram();

describe('whatever the endpoint does, answers come', () => {
  const endless: ModelScript = async (reply) => {
    let open = true;
    reply.closed.then(() => {
      open = false;
    });
    while (open) await reply.raw(' '.repeat(64 * 1024));
  };
  const answerOf =
    (value: unknown): ModelScript =>
    (reply) =>
      reply.status(200, {}, JSON.stringify(value));
  const faults: [string, ModelScript][] = [
    ['it fails', (reply) => reply.status(500)],
    ['it is silent', (reply) => reply.closed],
    ['it breaks the connection', (reply) => reply.die()],
    ['it never ends', endless],
    ['it answers in another dimension', answerOf({ data: [{ embedding: [1, 2] }] })],
    ['it answers no numbers', answerOf({ data: [{ embedding: [null, null, null] }] })],
    ['it answers too much', answerOf({ data: Array(9).fill({ embedding: [1, 0, 0] }) })],
  ];

  test.for(faults)('while %s', { timeout: timeoutMs }, async ([, script]) => {
    const { running, clients } = await program().startWithCrossings();
    await untilFoundByMeaning(running, clients.teamKey);
    program().model.script = script;
    const asked = performance.now();
    const { text, sources } = await clients.team.ask('When does the train cross at ten?');
    expect(performance.now() - asked).toBeLessThan(answerMs);
    expect(text).toContain('The train crosses at ten.');
    expect(sources[0]?.row_key).toBe('a-rail.md');
    await clients.team.push(item('d-new.md', 'The tram crosses at eleven.'));
    expect(await found(running, clients.teamKey, 'When does the tram cross?')).toContain('d-new.md');
    program().model.script = embed;
    const embedded = () =>
      program().model.requests.some(({ body }) => body.input.some((one: string) => /tram crosses/.test(one)));
    await eventually('the new passage to be sent', embedded, { withinMs: 30_000 });
    expect(await running.end()).toBe(0);
    const warnings = running
      .output()
      .stderr.split('\n')
      .filter((line) => line.includes('embedding went wrong'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).not.toMatch(/crosses|train|tram/);
  });
});

test(
  'a shutdown does not wait for the model',
  async () => {
    const called = Promise.withResolvers<void>();
    program().model.script = (reply) => {
      called.resolve();
      return reply.closed;
    };
    const { running, clients } = await program().startWithCrossings();
    await found(running, clients.teamKey);
    await called.promise;
    const ended = performance.now();
    expect(await running.end()).toBe(0);
    expect(performance.now() - ended).toBeLessThan(15_000);
  },
  timeoutMs,
);
