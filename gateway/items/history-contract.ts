import { storedChecksumPattern } from '@teammemory/vocabulary/formats.ts';
import { z } from 'zod';
import { byGuest, instant, prose, visibleTo } from '../contract/answer-types.ts';
import type { PathParameter } from '../contract/operation.ts';
import { listEnd } from '../feed/contract.ts';
import { itemRow } from './contract.ts';

/** A row_key that is one segment of a path. */
export const rowKeySegment: PathParameter = {
  name: 'row_key',
  schema: prose('Identity of the item, percent-encoded, its slashes too.'),
  example: 'handbook/deploying.md',
};

/** The revision in the path of a version. */
export const revisionSegment: PathParameter = {
  name: 'revision',
  schema: prose('The revision of the version, as the list of versions tells it to this key.'),
  example: '7',
};

const version = {
  revision: z.int().min(1).meta({
    description:
      'The number of the version: a later version has a higher one. The numbers that keys of the two tiers get differ.',
  }),
  checksum: z
    .string()
    .regex(storedChecksumPattern)
    .meta({ description: 'Checksum of the version, in lower case.' }),
  tier: visibleTo('Who could see it.'),
  updated_at: instant('When the version was stored.'),
  updated_by: prose('Handle of the member who wrote it.'),
};

const writtenWith = z
  .object({
    key_id: prose('Id of the key that wrote it.'),
    client: prose(
      'The program, as it named itself: `browser`, `sync`, `mcp` and the name of an agent, or what the client sent in X-Svc-Client.',
    ).optional(),
    proposed_by: prose('Handle of the member who proposed what this key accepted.').optional(),
  })
  .meta({
    id: 'WrittenWith',
    description: 'With what a version was written. Only team keys see it, and only where it was noted.',
  })
  .optional();

const storedVersion = z
  .object({ ...version, by_guest: byGuest, written_with: writtenWith })
  .meta({ id: 'ItemVersionSummary', description: 'A version of an item, without its content.' });

const removal = z
  .object({
    ...version,
    checksum: version.checksum.meta({
      description: 'Checksum of what was removed; of an erasure, that of an empty text.',
    }),
    updated_by: prose('Handle of the member who removed it.'),
    written_with: writtenWith,
    deleted: z.literal(true),
    erased: z
      .literal(true)
      .meta({ description: 'The item was erased: the versions that went with it are not in the list.' })
      .optional(),
  })
  .meta({ id: 'ItemRemoval', description: 'That an item was removed. Only team keys see it.' });

/** The answer of GET /items/{row_key}/versions. */
export const historyPage = z
  .object({
    versions: z.array(z.union([storedVersion, removal])).meta({ description: 'Newest first.' }),
    ...listEnd,
    has_more: listEnd.has_more.meta({ description: 'Whether older versions exist after this page.' }),
  })
  .meta({ id: 'ItemVersionPage' });

/** The answer of GET /items/{row_key}/versions/{revision}. */
export const wholeVersion = z.union([
  z
    .object({ ...itemRow.shape, written_with: writtenWith, revision: version.revision })
    .meta({ id: 'ItemVersion', description: 'An item as it was.' }),
  removal,
]);
