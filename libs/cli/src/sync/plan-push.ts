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

/** What to do with a file: nothing, or push `item`; `known` is what to remember once it is accepted. */
export type PushPlan = { kind: 'unchanged' } | { kind: 'send'; item: NewItem; known: KnownFile };

/**
 * Decides what a push does with a file, given what is known of it and the tier
 * asked for on the command line. The tier is, in this order: the one asked for,
 * the front matter's `audience`, the one that the known version has, team.
 * Throws CliError for a file that cannot be pushed; `admin_tier` is one of its
 * codes, because private content does not leave this machine.
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
  // A file that a pull wrote in another style is still the version it came from.
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
    throw new CliError('payload_too_large', 'The file was not pushed: it is above 1 MiB.');
  }
  return readFile(path).catch(asUnreadable);
}

/** One file without the right to read it, or gone since it was found, must not stop the others. */
function asUnreadable(cause: NodeJS.ErrnoException): never {
  throw new CliError('io_error', `The file was not pushed: it cannot be read (${cause.code}).`);
}

function tierOf(
  frontmatter: FrontMatter,
  content: string,
  asked: Tier | 'admin' | undefined,
): Tier | undefined {
  // The service says so, too; but private content does not leave this machine.
  if (asked === 'admin' || frontmatterSaysPrivate(frontmatter) || contentSaysPrivate(content)) {
    throw new CliError(
      'admin_tier',
      'The file was not pushed: it is private. Correct its audience to share it.',
    );
  }
  const audience = audienceTier(member(frontmatter, 'audience'));
  return asked ?? audience;
}

/** A member by its name in any case: an author who writes `Audience: private` means it. */
function member(frontmatter: FrontMatter, name: string): unknown {
  return Object.entries(frontmatter).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** An audience that is no tier is an error, not a guess: a guess could publish what was meant for few. */
function audienceTier(audience: unknown): Tier | undefined {
  if (audience === undefined || audience === null) return undefined;
  const tier = typeof audience === 'string' ? canonicalTier(audience) : undefined;
  if (tier === 'team' || tier === 'external') return tier;
  throw new CliError(
    'invalid_request',
    'The file was not pushed: its audience is neither team nor external.',
  );
}
