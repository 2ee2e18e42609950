import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { expect, test } from 'vitest';
import { compressedEncodings, createCompressor } from './compress-answers.ts';

const mebibyte = 1024 * 1024;
const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };

function compressorOf() {
  const metrics = createMetrics();
  const refused = async () => {
    const metric = await metrics.registry
      .getSingleMetric('teammemory_http_answers_not_compressed_total')
      ?.get();
    return metric?.values[0]?.value;
  };
  return { ...createCompressor({ metrics }), refused };
}

test.each(compressedEncodings)(
  '%s gives back every body, of one byte and of a large page',
  async (encoding) => {
    const { compress } = compressorOf();
    for (const bytes of [0, 1, 1_025, 100_000, 9 * mebibyte]) {
      const body = Buffer.from(Uint8Array.from({ length: bytes }, (_, index) => (index * index) % 251));
      const compressed = await compress(encoding, body);
      expect(compressed?.buffer.byteLength).toBe(compressed?.length);
      expect(decoders[encoding](compressed ?? Buffer.alloc(0)).equals(body)).toBe(true);
    }
  },
);

test('when too much waits, answers are to be sent as they are, and it is counted; later ones are compressed again', async () => {
  const { compress, refused } = compressorOf();
  const page = Buffer.alloc(8 * mebibyte, 'a');
  const results = await Promise.all(Array.from({ length: 9 }, () => compress('zstd', page)));
  // Two at once, and four wait.
  expect(results.map((result) => result !== undefined)).toEqual([
    ...Array(6).fill(true),
    false,
    false,
    false,
  ]);
  expect(await refused()).toBe(3);
  expect(await compress('zstd', page)).toBeDefined();
});
