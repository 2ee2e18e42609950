import { processorMilliseconds } from '@teammemory/testkit/processor-time.ts';
import { expect, test } from 'vitest';
import { acceptedEncoding } from './compress-answers.ts';

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['identity', 'identity'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP, BR', 'br'],
  ['gzip, deflate', 'gzip'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['deflate, compress', 'identity'],
  ['gzip;q=1.0, br;q=0.9, zstd;q=0.5', 'gzip'],
  ['gzip;q=0.5, identity', 'identity'],
  ['gzip;q=0.5, identity;q=0.5', 'gzip'],
  ['gzip;q=0.001', 'gzip'],
  ['*', 'zstd'],
  ['*;q=0.1', 'zstd'],
  ['zstd;q=0, *', 'br'],
  ['gzip, *;q=0', 'gzip'],
  ['zstd;q=0, br;q=0, gzip;q=0', 'identity'],
  ['*;q=0', 'identity'],
  ['zstd;q=0', 'identity'],
  [' br ; q = 0.8 , gzip ;q=0.7', 'br'],
  ['zstd;q=2, gzip', 'gzip'],
  ['zstd;q=-1, gzip', 'gzip'],
  ['zstd;q=much, gzip', 'gzip'],
  [',,;q=1,', 'identity'],
] as const)('of %j, %s is the best coding', (header, encoding) => {
  expect(acceptedEncoding(header).encoding).toBe(encoding);
});

test.each([
  ['gzip', true],
  ['gzip, identity;q=0.1', true],
  ['gzip, identity;q=0', false],
  ['gzip, *;q=0', false],
  ['gzip, *;q=0, identity', true],
] as const)('whether %j accepts an answer as it is: %s', (header, identity) => {
  expect(acceptedEncoding(header)).toEqual({ encoding: 'gzip', identity });
});

test('a header as long as the parser of HTTP lets through is read at once', () => {
  const headers = [
    'q=;,'.repeat(4_000) + ' '.repeat(4_000),
    `gzip;${' q'.repeat(8_000)}`,
    `gzip;q=${' '.repeat(16_000)}x`,
  ];
  for (const header of headers) {
    expect(processorMilliseconds(() => acceptedEncoding(header))).toBeLessThan(100);
  }
});
