import type { Operation } from '../contract/operation.ts';
import { changeEvents } from './contract.ts';

const followChanges: Operation = {
  method: 'GET',
  path: '/api/v1/events',
  tag: 'Changes',
  summary: 'Learn when there is something to pull',
  description:
    'A stream of server-sent events that tells when a list changed, never what: one `changed` at once, and one within 2 seconds after every change that the key may see. Changes that follow each other closely share an event. Pull the lists whose time moved. A comment line every 15 seconds keeps proxies from closing the connection. The stream ends when the key is revoked or expires, and when the gateway shuts down; connect again then. While changes or the key cannot be looked up, the stream is silent but for its comments, and goes on afterwards. A key may have 16 streams open; one too many is answered with 503.',
  access: 'any key',
  answer: {
    description: 'The stream. It has no end of its own.',
    headers: ['CacheControl', 'XAccelBuffering'],
    content: {
      mediaType: 'text/event-stream',
      example:
        'event: changed\ndata: {"items":"2026-11-21T06:27:00.123Z","tasks":"2026-11-21T06:27:00.123Z","decisions":null}\n\n',
      events: changeEvents,
    },
  },
  problems: [],
};

export const eventOperations = { followChanges };
