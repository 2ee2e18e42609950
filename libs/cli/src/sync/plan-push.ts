import { readFile, stat } from 'node:fs/promises';
import type { NewItem } from '@teammemory/client/item.ts';
import { contentSaysPrivate, frontmatterSaysPrivate } from '@teammemory/vocabulary/private-markers.ts';
import { canonicalTier, type Tier } from '@teammemory/vocabulary/tier.ts';
import { CliError } from '../cli-error.ts';
import type { FrontMatter } from './front-matter.ts';
import { checksumOf, contentFromFile } from './item-file.ts';
import { maxFileBytes } from './local-file.ts';
import type { SourceFile } from './push-source.ts';
import type { KnownFile } from './sync-state.ts';

/** What to do with a file: nothing, or push `item`. `known` is its state after the service has accepted it. */
export type PushPlan = { kind: 'unchanged' } | { kind: 'send'; item: NewItem; known: KnownFile };

/**
 * Decides what a push does with a file, given its known state and the tier of the command line. The tier of the item is
 * the first of: the tier of the command line, the front matter's `audience`, the tier of the known version, team. Throws
 * CliError for a file that cannot be pushed, `admin_tier` for a private one, which must not leave this machine.
 */
export async function planPush(
  file: SourceFile,
  known: KnownFile | undefined,
  askedTier: Tier | 'admin' | undefined,
): Promise<PushPlan> {
  const bytes = await readBounded(file.path);
  const fileChecksum = checksumOf(bytes);
  const isKnownVersion = known?.file_checksum === fileChecksum;
  if (known && isKnownVersion && (askedTier ?? known.tier) === known.tier) return { kind: 'unchanged' };
  const { content, frontmatter } = contentFromFile(bytes);
  const tier = tierOf(frontmatter, content, askedTier) ?? known?.tier ?? 'team';
  // A file that a pull wrote in another style is still the version that the service has.
  const checksum = known && isKnownVersion ? known.checksum : fileChecksum;
  return {
    kind: 'send',
    item: { row_key: file.rowKey, content, frontmatter, tier, checksum, base_checksum: known?.checksum },
    known: { row_key: file.rowKey, checksum, file_checksum: fileChecksum, tier },
  };
}

async function readBounded(path: string): Promise<Buffer> {
  const size = (await stat(path).catch(asUnreadable)).size;
  if (size > maxFileBytes) {
    throw new CliError('payload_too_large', 'The file was not pushed: it is larger than 1 MiB.');
  }
  return readFile(path).catch(asUnreadable);
}

/** A file that cannot be read, or was deleted since it was found, must not stop the others. */
function asUnreadable(cause: NodeJS.ErrnoException): never {
  throw new CliError('io_error', `The file was not pushed: it cannot be read (${cause.code}).`);
}

function tierOf(
  frontmatter: FrontMatter,
  content: string,
  asked: Tier | 'admin' | undefined,
): Tier | undefined {
  // The service would refuse private content, too, but it must not leave this machine.
  if (asked === 'admin' || frontmatterSaysPrivate(frontmatter) || contentSaysPrivate(content)) {
    throw new CliError(
      'admin_tier',
      'The file was not pushed: it is private. To share it, correct its audience.',
    );
  }
  const audience = audienceTier(member(frontmatter, 'audience'));
  return asked ?? audience;
}

/** Returns a member by its name in any case, because an author may write `Audience`. */
function member(frontmatter: FrontMatter, name: string): unknown {
  return Object.entries(frontmatter).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** An audience that is not a tier is an error. A guess could publish what was meant for a few people. */
function audienceTier(audience: unknown): Tier | undefined {
  if (audience === undefined || audience === null) return undefined;
  const tier = typeof audience === 'string' ? canonicalTier(audience) : undefined;
  if (tier === 'team' || tier === 'external') return tier;
  throw new CliError(
    'invalid_request',
    'The file was not pushed: its audience is neither team nor external.',
  );
}
