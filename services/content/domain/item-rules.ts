import { checksumPattern } from '@teammemory/vocabulary/checksum.ts';
import { maxContentBytes, maxFrontmatterBytes, maxFrontmatterLevels } from '@teammemory/vocabulary/limits.ts';
import {
  contentSaysPrivate,
  frontmatterSaysPrivate,
  namesPrivate,
} from '@teammemory/vocabulary/private-markers.ts';
import { rowKeyFault } from '@teammemory/vocabulary/row-key.ts';
import { canonicalTier } from '@teammemory/vocabulary/tier.ts';
import type { CheckedItem, ItemDraft, ItemRefusal } from './item.ts';
import { itemTitle } from './item-title.ts';

/** Characters of a tier that are looked at: the names that there are have at most 8. */
const tierMaxCharacters = 1_000;

/**
 * Checks one item against every rule that needs no look-up (decisions §3).
 * Of several faults private content is the one that is told, as far as the
 * front matter can be read, so that no other can hide it from its owner.
 */
export function checkItem(draft: ItemDraft): CheckedItem | ItemRefusal {
  const frontmatter = parseFrontmatter(draft.frontmatterJson);
  const tier = canonicalTier(draft.tier);
  if (tier === 'admin' || namesPrivate(draft.tier.slice(0, tierMaxCharacters))) {
    return refuse('admin_tier', 'Private content is not accepted; correct the audience in the front matter.');
  }
  if (frontmatterSaysPrivate(frontmatter) || contentSaysPrivate(draft.content)) {
    return refuse('admin_tier', 'The front matter says that the content is private; correct its audience.');
  }
  const fault =
    rowKeyRule(draft.rowKey) ??
    contentFault(draft.content) ??
    (typeof frontmatter === 'string' ? frontmatter : undefined) ??
    (tier === undefined ? 'tier must be team or external' : undefined) ??
    checksumFault('checksum', draft.checksum) ??
    (draft.baseChecksum === undefined ? undefined : checksumFault('base_checksum', draft.baseChecksum));
  if (fault !== undefined || tier === undefined || typeof frontmatter === 'string') {
    return refuse('invalid_request', `${fault}.`);
  }
  const checksum = draft.checksum.toLowerCase();
  const title = itemTitle(draft.rowKey, draft.content, frontmatter);
  return {
    rowKey: draft.rowKey,
    tier,
    checksum,
    baseChecksum: draft.baseChecksum?.toLowerCase(),
    jsonHead:
      `{"row_key":${JSON.stringify(draft.rowKey)},"title":${JSON.stringify(title)}` +
      `,"content":${JSON.stringify(draft.content)},"frontmatter":${draft.frontmatterJson}` +
      `,"tier":"${tier}","checksum":"${checksum}"`,
  };
}

/** Tells a refusal from a checked item. */
export function isRefusal(result: CheckedItem | ItemRefusal): result is ItemRefusal {
  return 'code' in result;
}

/** Finishes an item's public JSON with what is known when it is written. */
export function itemJson(jsonHead: string, updatedAtMs: number, updatedBy: string): Uint8Array {
  const updatedAt = new Date(updatedAtMs).toISOString();
  return Buffer.from(`${jsonHead},"updated_at":"${updatedAt}","updated_by":${JSON.stringify(updatedBy)}}`);
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

function checksumFault(name: string, checksum: string): string | undefined {
  return checksumPattern.test(checksum) ? undefined : `${name} must be "sha256:" and 64 hexadecimal digits`;
}

/** The front matter as an object, or what is wrong with it. Its keys are data, `__proto__` too. */
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
