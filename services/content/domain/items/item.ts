import { markdownBody } from '@teammemory/markdown/lines.ts';
import { type MarkdownBlock, markdownStructure } from '@teammemory/markdown/structure.ts';
import type { Access } from '@teammemory/vocabulary/access.ts';
import { checksumPattern } from '@teammemory/vocabulary/formats.ts';
import {
  maxContentBytes,
  maxFrontmatterBytes,
  maxFrontmatterLevels,
  maxTitleCharacters,
} from '@teammemory/vocabulary/limits.ts';
import {
  contentSaysPrivate,
  frontmatterSaysPrivate,
  frontmatterTextSaysPrivate,
  namesPrivate,
} from '@teammemory/vocabulary/private-markers.ts';
import { rowKeyFault } from '@teammemory/vocabulary/row-key.ts';
import {
  allowsSecrets,
  describeSecrets,
  type FoundSecret,
  type SecretFinder,
} from '@teammemory/vocabulary/secret-scan.ts';
import { canonicalTier, type Tier } from '@teammemory/vocabulary/tier.ts';
import type { Origin } from '../feed/feed-row.ts';
import type { Quota, Share } from '../feed/quota.ts';
import { plainTitle } from '../markdown/plain-text.ts';

/** Characters of a tier that are looked at: existing names have at most 8. */
const maxTierCharacters = 1_000;

/** An item as a client sent it: typed, but not checked. */
export interface ItemDraft {
  rowKey: string;
  content: string;
  /** The text of one JSON object. */
  frontmatterJson: string;
  /** The front matter as its author wrote it; stored for whoever writes the file again, and read by nothing else. */
  frontmatterText?: string | undefined;
  /** A wire value or friendly name. */
  tier: string;
  checksum: string;
  /** Checksum of the version it was edited from. */
  baseChecksum?: string | undefined;
  /** There must be no such item yet, or only a removed one; then `baseChecksum` does not count. */
  createOnly?: boolean;
}

/** An item that follows every rule that needs no look-up. */
export interface CheckedItem {
  rowKey: string;
  title: string;
  tier: Tier;
  /** Lower-case. */
  checksum: string;
  /** Lower-case; null for an item that may only be created. */
  baseChecksum: string | null | undefined;
  /** The public JSON without the members that are known only when it is written. */
  jsonHead: string;
  /** Credentials that it has and may not; absent: none. The stored version decides whether they are new. */
  secrets?: ItemSecrets | undefined;
}

/** Credentials of an item, and the refusal of an item that brings them. */
export interface ItemSecrets {
  found: readonly FoundSecret[];
  refusal: ItemRefusal;
}

/** Why an item is not stored; `detail` is public. */
export interface ItemRefusal {
  code:
    | 'admin_tier'
    | 'contains_secret'
    | 'invalid_request'
    | 'forbidden_tier'
    | 'forbidden_access'
    | 'conflict'
    | 'quota_exceeded';
  detail: string;
  /** With `conflict`: the stored checksum, null if nothing is stored. */
  currentChecksum?: string | null;
}

/** The member who writes items. */
export interface ItemAuthor {
  tier: Tier;
  /** Absent: `write`. Who may only read does not get here. */
  access?: Access | undefined;
  handle: string;
  /** Absent for whoever wrote an imported item and is not a member here. */
  memberId?: string | undefined;
  /** With what the author writes, as the history tells it. Absent for an imported item. */
  origin?: Origin | undefined;
}

/**
 * Checks one item against every rule that needs no look-up (docs/contract.md, "Push items"). Private content is
 * reported before any other fault, as far as the front matter can be read, so that its owner always learns of it.
 */
export function checkItem(
  draft: ItemDraft,
  findSecrets: SecretFinder = findNothing,
): CheckedItem | ItemRefusal {
  const frontmatter = parseFrontmatter(draft.frontmatterJson);
  const tier = canonicalTier(draft.tier);
  if (tier === 'admin' || namesPrivate(draft.tier.slice(0, maxTierCharacters))) {
    return refuse('admin_tier', 'Private content is not accepted; correct the audience in the front matter.');
  }
  const { frontmatterText = '' } = draft;
  if (
    frontmatterSaysPrivate(frontmatter) ||
    contentSaysPrivate(draft.content) ||
    // An accepted one is no longer than this.
    frontmatterTextSaysPrivate(frontmatterText.slice(0, maxFrontmatterBytes))
  ) {
    return refuse('admin_tier', 'The front matter says that the content is private; correct its audience.');
  }
  const fault =
    rowKeyRule(draft.rowKey) ??
    contentFault(draft.content) ??
    (typeof frontmatter === 'string' ? frontmatter : undefined) ??
    frontmatterTextFault(frontmatterText) ??
    (tier === undefined ? 'tier must be team or external' : undefined) ??
    checksumFault('checksum', draft.checksum) ??
    (draft.baseChecksum === undefined ? undefined : checksumFault('base_checksum', draft.baseChecksum));
  if (fault !== undefined || tier === undefined || typeof frontmatter === 'string') {
    return refuse('invalid_request', `${fault}.`);
  }
  const checksum = draft.checksum.toLowerCase();
  const title = itemTitle(draft.rowKey, draft.content, frontmatter);
  const text =
    draft.frontmatterText === undefined ? '' : `,"frontmatter_text":${JSON.stringify(draft.frontmatterText)}`;
  return {
    rowKey: draft.rowKey,
    title,
    tier,
    checksum,
    baseChecksum: draft.createOnly ? null : draft.baseChecksum?.toLowerCase(),
    jsonHead:
      `{"row_key":${JSON.stringify(draft.rowKey)},"title":${JSON.stringify(title)}` +
      `,"content":${JSON.stringify(draft.content)},"frontmatter":${draft.frontmatterJson}${text}` +
      `,"tier":"${tier}","checksum":"${checksum}"`,
    secrets: secretsIn(draft, frontmatter, findSecrets),
  };
}

const findNothing: SecretFinder = () => [];

/** Returns the credentials of an item; undefined for one that has none, or may have them. */
function secretsIn(
  draft: ItemDraft,
  frontmatter: Record<string, unknown>,
  findSecrets: SecretFinder,
): ItemSecrets | undefined {
  if (allowsSecrets(frontmatter)) return undefined;
  const places = secretPlaces(draft, frontmatter, findSecrets).filter(([, found]) => found.length > 0);
  if (places.length === 0) return undefined;
  const told = places.map(([name, found]) => `In ${name} ${describeSecrets(found)}`).join('. ');
  return {
    found: places.flatMap(([, found]) => found),
    refusal: refuse('contains_secret', `${told}.`),
  };
}

function secretPlaces(
  { rowKey, content, frontmatterText = '' }: Pick<ItemDraft, 'rowKey' | 'content' | 'frontmatterText'>,
  frontmatter: unknown,
  findSecrets: SecretFinder,
): [name: string, found: readonly FoundSecret[]][] {
  return [
    ['row_key', findSecrets(rowKey)],
    ['frontmatter_text', findSecrets(frontmatterText)],
    // Written anew, so that an escape such as \u0067 hides nothing.
    ['frontmatter', findSecrets(JSON.stringify(frontmatter))],
    ['content', findSecrets(content)],
  ];
}

/** Returns the credentials of a stored item, by its public JSON. */
export function storedSecrets(json: Uint8Array, findSecrets: SecretFinder): FoundSecret[] {
  const { row_key, content, frontmatter, frontmatter_text } = JSON.parse(Buffer.from(json).toString());
  const draft = { rowKey: row_key, content, frontmatterText: frontmatter_text };
  return secretPlaces(draft, frontmatter, findSecrets).flatMap(([, found]) => found);
}

/** Returns whether a check ended in a refusal. */
export function isRefusal(result: CheckedItem | ItemRefusal): result is ItemRefusal {
  return 'code' in result;
}

/** Returns an item's public JSON, completed with what is known when it is written. */
export function itemJson(
  jsonHead: string,
  updatedAtMs: number,
  { tier, handle }: Pick<ItemAuthor, 'tier' | 'handle'>,
): Uint8Array {
  const updatedAt = new Date(updatedAtMs).toISOString();
  const byGuest = tier === 'external' ? ',"by_guest":true' : '';
  return Buffer.from(
    `${jsonHead}${byGuest},"updated_at":"${updatedAt}","updated_by":${JSON.stringify(handle)}}`,
  );
}

/**
 * Returns whether an author may change or remove a stored item that is there and that the author can see. Access `own`
 * reaches only what the key's member wrote last; an item without a known writer is somebody else's.
 */
export function mayChange({ access, memberId }: ItemAuthor, stored: { writerId?: string }): boolean {
  return access !== 'own' || stored.writerId === memberId;
}

/** Returns the owner of what an author writes: the member, by the tier of the key. */
export function ownerOf({ tier, handle }: ItemAuthor): string {
  return `${tier}/${handle}`;
}

/** Returns a quota in which each member has a share of the team's, by the tier of the key that wrote. */
export function itemQuota(team: Share, members: Record<Tier, Share>): Quota {
  return { team, of: (owner) => members[owner.startsWith('external/') ? 'external' : 'team'] };
}

function refuse(code: ItemRefusal['code'], detail: string): ItemRefusal {
  return { code, detail };
}

function rowKeyRule(rowKey: string): string | undefined {
  const fault = rowKeyFault(rowKey);
  return fault === undefined ? undefined : `row_key ${fault}`;
}

function contentFault(content: string): string | undefined {
  if (!content.isWellFormed()) return 'content must be well-formed Unicode';
  if (Buffer.byteLength(content) > maxContentBytes) return `content must be at most ${maxContentBytes} bytes`;
  return undefined;
}

function frontmatterTextFault(text: string): string | undefined {
  if (!text.isWellFormed()) return 'frontmatter_text must be well-formed Unicode';
  if (Buffer.byteLength(text) > maxFrontmatterBytes) {
    return `frontmatter_text must be at most ${maxFrontmatterBytes} bytes`;
  }
  return undefined;
}

/** Returns what is wrong with a checksum that a client sent under this name, or undefined for a good one. */
export function checksumFault(name: string, checksum: string): string | undefined {
  return checksumPattern.test(checksum) ? undefined : `${name} must be "sha256:" and 64 hexadecimal digits`;
}

/** Returns the front matter, or what is wrong with it. Its keys are data, `__proto__` too. */
function parseFrontmatter(json: string): Record<string, unknown> | string {
  if (Buffer.byteLength(json) > maxFrontmatterBytes) {
    return `frontmatter must be at most ${maxFrontmatterBytes} bytes of JSON`;
  }
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return 'frontmatter must be a JSON object';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'frontmatter must be a JSON object';
  }
  if (isDeeperThan(value, maxFrontmatterLevels)) {
    return `frontmatter must be at most ${maxFrontmatterLevels} levels deep`;
  }
  return value as Record<string, unknown>;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

/** A heading further down than this is not the title of the whole. */
const maxHeadingSearchCharacters = 20_000;
/** The title of an item that has no other. */
const untitled = 'Untitled';

/**
 * Returns the title of an item as plain text: the front matter's `title`, else the first heading outside of code, else
 * the file name without extension, whichever of them is the first that has words.
 */
export function itemTitle(rowKey: string, content: string, frontmatter: Record<string, unknown>): string {
  const given = frontmatter.title;
  const title =
    (typeof given === 'string' && given.isWellFormed() ? plainTitle(given) : '') ||
    plainTitle(firstHeading(markdownBody(content, maxHeadingSearchCharacters)) ?? '') ||
    plainTitle(fileName(rowKey)) ||
    untitled;
  return [...title.slice(0, maxTitleCharacters * 2)]
    .slice(0, maxTitleCharacters)
    .join('')
    .trim()
    .toWellFormed();
}

/** The first heading with words that is of the text itself: none in a quote, a list or code, and no underlined table. */
function firstHeading(content: string): string | undefined {
  const { blocks } = markdownStructure(content, isTitle);
  return blocks.find(isTitle)?.content;
}

function isTitle({ kind, content, isNested }: MarkdownBlock): boolean {
  return kind === 'heading' && !isNested && content !== '' && !content.startsWith('|');
}

function fileName(rowKey: string): string {
  const name = rowKey.slice(rowKey.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}
