import { create, type DescField, type DescMessage, toBinary, toJsonString } from '@bufbuild/protobuf';
import { AnalyticsService, PushScanRequestSchema } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ContentService, PushItemsRequestSchema } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { describe, expect, test } from 'vitest';
import { limitsOf } from '../method-limits.ts';
import { binaryShapeFault, jsonShapeFault } from './message-shape.ts';

const methods = [AnalyticsService, AuthService, ContentService, QueryService].flatMap(
  (service) => service.methods,
);
const bytes = (...values: number[]) => Uint8Array.from(values);
const json = (text: string) => Buffer.from(text);

/** The shortest occurrences of a field: nothing in it. */
function emptyField(field: DescField): Uint8Array {
  const isLengthDelimited =
    ['message', 'map', 'list'].includes(field.fieldKind) || [9, 12].includes(field.scalar ?? 0);
  const wireType = isLengthDelimited ? 2 : field.scalar === 1 ? 1 : 0;
  const tag = [field.number * 8 + wireType];
  return bytes(...tag, ...Array.from({ length: wireType === 1 ? 8 : 1 }, () => 0));
}

/** Fields of a message and of the messages in it, each with the way to put it there. */
function* fieldsOf(message: DescMessage, wrap = (inner: Uint8Array) => inner): Generator<Uint8Array> {
  for (const field of message.fields) {
    yield wrap(emptyField(field));
    if (field.fieldKind !== 'message') continue;
    yield* fieldsOf(field.message, (inner) =>
      wrap(Buffer.concat([bytes(field.number * 8 + 2, inner.length), inner])),
    );
  }
}

describe.each(methods.map((method) => ({ name: `${method.parent.typeName}.${method.name}`, method })))(
  'a request of $name',
  ({ method }) => {
    const { maxElements } = limitsOf(method);
    test('may have no more fields than its limit, whichever they are', () => {
      for (const one of fieldsOf(method.input)) {
        const many = Buffer.concat(Array.from({ length: maxElements + 1 }, () => one));
        expect(binaryShapeFault(method.input, many, maxElements)).toBe('too_many_elements');
        expect(binaryShapeFault(method.input, one, maxElements)).toBeUndefined();
      }
    });

    test('may have no more values in JSON than its limit', () => {
      for (const one of ['{}', '[]', '0', '""', '{"a":1}', '1e1']) {
        const many = json(`{"x":[${Array.from({ length: maxElements + 1 }, () => one).join(',')}]}`);
        expect(jsonShapeFault(many, maxElements)).toBe('too_many_elements');
      }
    });
  },
);

test('a batch of 200 items and the largest scan are within the limits, in both formats', () => {
  const item = {
    rowKey: 'notes/a.md',
    content: '# "Title"\n'.repeat(2_000),
    frontmatterJson: Buffer.from(JSON.stringify({ tags: ['a', 'b'], text: '{[,'.repeat(1_000) })),
    tier: 'team',
    checksum: `sha256:${'0'.repeat(64)}`,
    baseChecksum: `sha256:${'0'.repeat(64)}`,
  };
  const batch = create(PushItemsRequestSchema, { items: Array.from({ length: 200 }, () => item) });
  const scan = create(PushScanRequestSchema, {
    codebase: { slug: 'a', fullName: 'a/b', provider: 'c' },
    metrics: {
      readinessPillars: Object.fromEntries(
        Array.from({ length: 100 }, (_, k) => [`pillar ${k}`, { passed: 1, total: 2 }]),
      ),
    },
    contributions: Array.from({ length: 10_000 }, () => ({ member: 'ada', commits: 2, agentCommits: 1 })),
    issues: Array.from({ length: 10_000 }, () => ({ number: 7n, title: 'é'.repeat(500), state: 'open' })),
  });
  for (const [method, encoded, text] of [
    [
      ContentService.method.pushItems,
      toBinary(PushItemsRequestSchema, batch),
      toJsonString(PushItemsRequestSchema, batch),
    ],
    [
      AnalyticsService.method.pushScan,
      toBinary(PushScanRequestSchema, scan),
      toJsonString(PushScanRequestSchema, scan),
    ],
  ] as const) {
    const { maxElements, maxRequestBytes } = limitsOf(method);
    expect(Math.max(encoded.length, Buffer.byteLength(text))).toBeLessThan(maxRequestBytes);
    expect(binaryShapeFault(method.input, encoded, maxElements)).toBeUndefined();
    expect(jsonShapeFault(json(text), maxElements)).toBeUndefined();
  }
});

test('a field that does not come as it is declared is malformed, for the decoder would read what follows as fields', () => {
  // validate_only as bytes that hold empty items.
  const hidden = Buffer.concat([bytes(0x12, 100), Buffer.alloc(100, Buffer.from([0x0a, 0]))]);
  expect(binaryShapeFault(PushItemsRequestSchema, hidden, 10)).toBe('malformed');
  // items as a number.
  expect(binaryShapeFault(PushItemsRequestSchema, bytes(0x08, 2, 0x0a, 0), 10)).toBe('malformed');
});

test.each([
  ['a tag that ends early', [0x80]],
  ['a field of number 0', [0x02, 0]],
  ['a length beyond the end', [0x0a, 5, 0]],
  ['a message beyond the end of the one around it', [0x0a, 2, 0x0a, 5, 0, 0, 0, 0, 0]],
  ['a group', [0x0b, 0x0c]],
  ['a length that never ends', [0x0a, ...Array.from({ length: 11 }, () => 0xff)]],
])('%s is malformed', (_, message) => {
  expect(binaryShapeFault(PushItemsRequestSchema, bytes(...message), 100)).toBe('malformed');
});

test('what stands in strings of JSON does not count, however it is escaped', () => {
  const text = JSON.stringify({ a: '[{,'.repeat(100), 'b"\\': '\\"[[[', c: '\\\\' });
  expect(jsonShapeFault(json(text), 3)).toBeUndefined();
  expect(jsonShapeFault(json(text), 2)).toBe('too_many_elements');
});

test('messages in messages have a depth that ends', () => {
  expect(jsonShapeFault(json('['.repeat(33)), 1_000)).toBe('too_deep');
  expect(jsonShapeFault(json(`${'['.repeat(32)}${']'.repeat(32)}`), 1_000)).toBeUndefined();
});

test('looking takes time linear in the bytes', () => {
  const elapsedMs = (look: () => unknown) => {
    const startedMs = performance.now();
    look();
    return performance.now() - startedMs;
  };
  const text = json(`"${'\\"'.repeat(4 * 1024 * 1024)}"`);
  const slashes = json(`"${'\\'.repeat(8 * 1024 * 1024)}"`);
  const times = [text, slashes].map((one) => elapsedMs(() => jsonShapeFault(one, 10)));
  // Quadratic time would take hours.
  expect(Math.max(...times)).toBeLessThan(5_000);
});
