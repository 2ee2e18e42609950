import { eventually } from '@teammemory/testkit/eventually.ts';

/** Thousands of passages on a machine without a graphics card take a second each at worst. */
const withinMs = 2 * 60 * 60_000;
const everyMs = 1_000;

/**
 * Waits until every passage in the indexes of a service has its vector; not at
 * all where it has no embedding model. A team has an index at the latest once
 * somebody has asked.
 */
export async function untilEmbedded(metricsUrl: string): Promise<void> {
  await eventually(
    'every passage to be embedded',
    async () => {
      const metrics = await (await fetch(metricsUrl)).text();
      return Number(/^teammemory_embedding_backlog_passages (\d+)$/m.exec(metrics)?.[1] ?? 0) === 0;
    },
    { withinMs, everyMs },
  );
}
