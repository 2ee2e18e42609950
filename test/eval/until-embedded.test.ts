import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { untilEmbedded } from './until-embedded.ts';

let stop: () => void = () => undefined;
afterEach(() => stop());

/** Serves these texts as metrics, one after the other, the last for ever. */
async function metricsServer(...texts: string[]): Promise<{ url: string; left(): number }> {
  const http = createServer((_, response) => response.end(texts.length > 1 ? texts.shift() : texts[0]));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  stop = () => http.close().closeAllConnections();
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, left: () => texts.length };
}

test('waits as long as passages have no vector', async () => {
  const server = await metricsServer(
    'teammemory_embedding_backlog_passages 3\n',
    'a 1\nteammemory_embedding_backlog_passages 0\n',
  );
  await untilEmbedded(server.url);
  expect(server.left()).toBe(1);
});

test('does not wait for a service that embeds nothing', async () => {
  await untilEmbedded((await metricsServer('teammemory_search_index_teams 1\n')).url);
});
