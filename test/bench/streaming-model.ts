// A model server with the shape of OpenAI's chat completions, as a process of its own: to every call it streams 20
// deltas a second without end. The text of a delta is ` <n>`, the time at which it was sent in microseconds of the
// machine's monotonic clock, which all processes share. Answers any message with its port.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const periodMs = 50;
/** Calls are spread over the period, as those of people are. */
const slots = 25;
const slotMs = periodMs / slots;
/** What real servers send with every delta, so that reading one costs what it costs with them. */
const constantFields = {
  id: 'chatcmpl-C8mPqLx0Zb1vT5sYw2Rk9NfJ3hD7e',
  object: 'chat.completion.chunk',
  created: 1_795_000_000,
  model: 'writer',
  service_tier: 'default',
  system_fingerprint: 'fp_51db84afab',
};

const open = Array.from({ length: slots }, () => new Set<ServerResponse>());
let calls = 0;

function event(content: string): string {
  const choices = [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }];
  return `data: ${JSON.stringify({ ...constantFields, choices, obfuscation: 'a1B2c3D4' })}\n\n`;
}
const [beforeTime = '', afterTime = ''] = event(' <#>').split('#');

function sendSlot(slot: number): void {
  for (const response of open[slot % slots] ?? []) {
    const sent = `${beforeTime}${process.hrtime.bigint() / 1000n}${afterTime}`;
    // What does not get rid of its text is not read, and would fill the memory of this process.
    if (!response.writableNeedDrain) response.write(sent);
  }
}

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const slot = open[calls++ % slots];
  slot?.add(response);
  response.once('close', () => slot?.delete(response));
});

let nextSlot = Math.ceil(performance.now() / slotMs);
setInterval(() => {
  const now = performance.now() / slotMs;
  for (; nextSlot <= now; nextSlot += 1) sendSlot(nextSlot);
}, slotMs);

server.listen(0, '127.0.0.1', () => {
  process.on('message', () => process.send?.((server.address() as AddressInfo).port));
});
process.on('disconnect', () => process.exit());
