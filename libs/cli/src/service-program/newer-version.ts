import { z } from 'zod';
import { readAtMost } from '../read-at-most.ts';

const registryTimeoutMs = 5_000;
/** A hundred times what a registry says of one version. */
const maxAnswerBytes = 1_000_000;
const published = z.object({ version: z.string().regex(/^\d{1,9}\.\d{1,9}\.\d{1,9}$/) });

/**
 * Asks the registry of npm, and nothing else, for the newest version of the package. Returns it if it is newer than
 * `version`. Throws any error where the registry does not answer within 5 s, or sends elsewhere.
 */
export async function newerVersion(version: string, registry: string): Promise<string | undefined> {
  const address = new URL('team-memory-service/latest', registry.endsWith('/') ? registry : `${registry}/`);
  const answer = await fetch(address, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(registryTimeoutMs),
  });
  if (!answer.ok) throw new Error(`the registry answered ${answer.status}`);
  const tooMuch = () => new Error('the registry answered too much');
  const text = await readAtMost(answer.body ?? [], maxAnswerBytes, tooMuch);
  const newest = published.parse(JSON.parse(text)).version;
  const collator = new Intl.Collator('en', { numeric: true });
  return collator.compare(newest, version) > 0 ? newest : undefined;
}
