import { checksumPattern } from '@teammemory/vocabulary/formats.ts';
import { maxContentBytes } from '@teammemory/vocabulary/limits.ts';
import { tiers } from '@teammemory/vocabulary/tier.ts';
import { z } from 'zod';
import { quoted } from '../framed-text.ts';
import { type Decision, type Item, type Memory, MemoryError } from '../memory.ts';
import { namedBy } from '../resource-uri.ts';
import { checksumOf, id, object } from './fields.ts';
import { tool } from './tool.ts';

const output = z.object({
  row_key: z.string(),
  checksum: z.string(),
  tier: z.string(),
  created: z.boolean(),
});

/** Stores one item. */
export const pushTool = tool({
  name: 'push',
  title: 'Write',
  description:
    'Create an item (base_checksum null) or replace the text of an item or decision (base_checksum: from fetch; refused if it changed since). Keeps tier and frontmatter unless given. row_key: a path such as notes/deploy.md. No private text, no secrets.',
  input: z.object({
    row_key: id,
    content: z.string().max(maxContentBytes),
    base_checksum: z.string().regex(checksumPattern, 'It must be a checksum that fetch gave you.').nullable(),
    tier: z.enum(tiers).optional(),
    frontmatter: object.optional(),
  }),
  output,
  // What it replaces is kept as a version, but is no longer what others read.
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  writes: true,
  async run({ row_key, content, base_checksum, tier, frontmatter }, { memory, signal }) {
    if (/^---[ \t]*\r?\n/.test(content)) {
      throw new MemoryError(
        'invalid_request',
        'Give front matter as the argument frontmatter, not between --- lines in content.',
      );
    }
    const checksum = checksumOf(content);
    const named = namedBy(row_key);
    if (named.kind === 'decision') {
      const { decisionId } = named;
      const { audience } = await editDecision(memory, { decisionId, content, base_checksum }, signal);
      return {
        text: `Replaced the body of ${quoted(row_key)}, tier ${audience}, checksum ${checksum}`,
        data: { row_key, checksum, tier: audience, created: false },
      };
    }
    const kept = base_checksum === null ? undefined : await memory.getItem(row_key, { signal });
    const item = {
      row_key,
      content,
      checksum,
      base_checksum,
      tier: tier ?? kept?.tier ?? memory.holder.tier,
      ...(frontmatter === undefined ? keptFrontmatter(kept) : { frontmatter }),
    };
    await memory.pushItem(item, { signal });
    const created = base_checksum === null;
    return {
      text: `${created ? 'Created' : 'Replaced'} ${quoted(row_key)}, tier ${item.tier}, checksum ${checksum}`,
      data: { row_key, checksum, tier: item.tier, created },
    };
  },
});

/** Replaces the body of a decision, so that its tasks can be ticked. All else of it stays. */
async function editDecision(
  memory: Memory,
  edit: { decisionId: string; content: string; base_checksum: string | null },
  signal: AbortSignal,
): Promise<Decision> {
  if (memory.editDecision === undefined) {
    throw new MemoryError('invalid_request', 'Decisions are edited in the dashboard, not with this tool.');
  }
  const decision = await memory.getDecision(edit.decisionId, { signal });
  const currentChecksum = checksumOf(decision.body);
  if (edit.content === decision.body) return decision;
  if (edit.base_checksum !== currentChecksum) {
    throw new MemoryError('conflict', 'The decision has changed.', { currentChecksum });
  }
  await memory.editDecision(decision, edit.content, { signal });
  return decision;
}

function keptFrontmatter(item: Item | undefined): Pick<Item, 'frontmatter' | 'frontmatter_text'> {
  const { frontmatter = {}, frontmatter_text } = item ?? {};
  return frontmatter_text === undefined ? { frontmatter } : { frontmatter, frontmatter_text };
}
