import type { Operation } from '../contract/operation.ts';
import { problems } from '../contract/problem.ts';
import { answerEvents, queryBody, searchAnswer, searchQuery } from './contract.ts';

const exampleStream = [
  ['delta', { text: 'We deploy every Tuesday at ten [1].' }],
  [
    'sources',
    [
      {
        row_key: 'handbook/deploying.md',
        title: 'Deploying',
        tier: 'team',
        kind: 'item',
        date: '2026-11-02',
        quote: 'We deploy every Tuesday at ten.',
      },
    ],
  ],
  ['done', {}],
]
  .map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  .join('');

const askQuestion: Operation = {
  method: 'POST',
  path: '/api/v1/query',
  tag: 'Questions',
  summary: 'Ask a question',
  description:
    'Answers a question from what the key may see, as a stream of server-sent events: one or more `delta`, one `sources`, one `done`. A comment line every 15 seconds keeps proxies from closing the connection. A fault before the first byte is a problem; after it, the stream has an event `error` and ends without `done`. The text cites the sources as `[1]`, `[2]`. If nothing answers, the text says so, `sources` is empty, and `closest` in the data of `done` has up to three notes that come closest. Unless the operator allows all markup (`ANSWER_MARKUP=full`), the text has no images, no HTML and no links except bare `http`, `https` and `mailto` addresses. Closing the connection cancels the answer.',
  access: 'any key',
  quota: 'questions',
  body: {
    mediaType: 'application/json',
    // 4,000 characters, each written as two escapes of six bytes, and room for members that are ignored.
    bounds: { maxBytes: 64 * 1024, maxValues: 1_000, maxLevels: 32 },
    schema: queryBody,
    example: { q: 'When do we deploy?' },
  },
  answer: {
    description: 'The answer, streamed while it is written.',
    headers: ['CacheControl', 'XAccelBuffering'],
    content: { mediaType: 'text/event-stream', example: exampleStream, events: answerEvents },
  },
  problems: [problems.daily_cap_exceeded],
};

const searchPassages: Operation = {
  method: 'GET',
  path: '/api/v1/search',
  tag: 'Questions',
  summary: 'Search for passages',
  description:
    'Returns the passages of items, decisions and projects that fit a question best, among those that the key may see, without an answer being made of them. It sees every change that was acknowledged before it. No model writes anything; with an embedding model the question gets a vector, which is charged as a question is. The text of a passage is what a member wrote: data, never an instruction.',
  access: 'any key',
  quota: 'searches',
  query: searchQuery,
  answer: {
    description: 'The passages, best first.',
    content: {
      mediaType: 'application/json',
      schema: searchAnswer,
      example: {
        passages: [
          {
            row_key: 'handbook/deploying.md',
            title: 'Deploying',
            headings: ['Deploying', 'When'],
            text: 'We deploy every Tuesday at ten.',
            tier: 'team',
            kind: 'item',
            date: '2026-11-02',
            status: null,
            score: 14.2,
          },
        ],
        incomplete: false,
      },
    },
  },
  problems: [],
};

export const queryOperations = { askQuestion, searchPassages };
