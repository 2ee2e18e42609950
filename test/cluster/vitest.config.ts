import { defineConfig } from 'vitest/config';

/** A limit for what hangs: on a quiet machine the slowest takes 20 s. */
const timeoutMs = 10 * 60_000;

/** Of `npm run test:cluster` alone; the other tests leave this folder out. */
export default defineConfig({
  test: { include: ['test/cluster/*.test.ts'], testTimeout: timeoutMs, hookTimeout: timeoutMs },
});
