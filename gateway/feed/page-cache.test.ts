import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { expect, test } from 'vitest';
import { createPageCache } from './page-cache.ts';

const version = 'v1';
const present = async () => version;
const pageOf = (bytes: number) => ({ version, encoding: 'identity' as const, body: Buffer.alloc(bytes) });

function cacheOf(maxBytes: number) {
  const metrics = createMetrics();
  const time = { nowMs: 1 };
  const pages = createPageCache({ maxBytes, clock: () => time.nowMs, metrics });
  const value = async (name: string) =>
    (await metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value;
  const has = async (name: string) => (await pages.read(name, 'identity', present)) !== undefined;
  return { pages, time, value, has };
}

test('a page of the current version is returned as it was stored, and one of another version is not', async () => {
  const { pages, value } = cacheOf(1_000_000);
  const page = pageOf(10);
  pages.keep('page', page);
  expect(await pages.read('page', 'identity', present)).toBe(page);
  expect(await pages.read('page', 'identity', async () => 'v2')).toBeUndefined();
  expect(await pages.read('other page', 'identity', present)).toBeUndefined();
  expect([
    await value('teammemory_page_cache_hits_total'),
    await value('teammemory_page_cache_misses_total'),
  ]).toEqual([1, 2]);
});

test('the version is requested only if a page is cached', async () => {
  const { pages } = cacheOf(1_000_000);
  const nobody = () => Promise.reject(new Error('asked'));
  expect(await pages.read('page', 'identity', nobody)).toBeUndefined();
  pages.keep('page', pageOf(10));
  await expect(pages.read('page', 'identity', nobody)).rejects.toThrow('asked');
});

test('no page stays for more than a minute', async () => {
  const { pages, time, has } = cacheOf(1_000_000);
  pages.keep('page', pageOf(10));
  time.nowMs += 60_000;
  expect(await has('page')).toBe(true);
  time.nowMs += 1;
  expect(await has('page')).toBe(false);
});

test('a page without a version is not stored', async () => {
  const { pages } = cacheOf(1_000_000);
  pages.keep('page', { version: '', encoding: 'identity', body: Buffer.alloc(10) });
  expect(await pages.read('page', 'identity', async () => '')).toBeUndefined();
});

test('each coding of a page is stored beside the others, counted, and returned only to whom it is meant for', async () => {
  const { pages, value } = cacheOf(1_000_000);
  const [plain, compressed] = [pageOf(100), { ...pageOf(30), encoding: 'zstd' as const }];
  pages.keep('page', plain);
  expect(await pages.read('page', 'zstd', present)).toBe(plain);
  pages.keep('page', compressed);
  expect(await pages.read('page', 'zstd', present)).toBe(compressed);
  expect(await pages.read('page', 'br', present)).toBe(plain);
  expect(await pages.read('page', 'identity', present)).toBe(plain);
  expect(await value('teammemory_page_cache_bytes')).toBe(130 + 2 * 1_024);
  pages.keep('page', { ...plain, version: 'v2' });
  expect((await pages.read('page', 'zstd', async () => 'v2'))?.encoding).toBe('identity');
});

test('memory is counted in bytes, and the least recently used page goes first', async () => {
  const { pages, value, has } = cacheOf(20_480);
  for (const name of 'abcdefghij') pages.keep(name, pageOf(1_024));
  expect(await value('teammemory_page_cache_bytes')).toBe(20_480);
  await pages.read('a', 'identity', present);
  pages.keep('k', pageOf(1_024));
  expect(await value('teammemory_page_cache_bytes')).toBe(20_480);
  expect([await has('a'), await has('b'), await has('c')]).toEqual([true, false, true]);
  pages.keep('a', pageOf(0));
  expect(await value('teammemory_page_cache_bytes')).toBe(20_480 - 1_024);
});

test('a page larger than an eighth of the memory is not stored and evicts nothing', async () => {
  const { pages, has } = cacheOf(80_000);
  pages.keep('small', pageOf(1_000));
  pages.keep('largest', pageOf(10_000 - 1_024));
  pages.keep('too large', pageOf(10_001 - 1_024));
  expect([await has('small'), await has('largest'), await has('too large')]).toEqual([true, true, false]);
});
