import { checksumPattern } from '@teammemory/vocabulary/formats.ts';
import { maxContentBytes } from '@teammemory/vocabulary/limits.ts';
import { tiers } from '@teammemory/vocabulary/tier.ts';
import { z } from 'zod';
import { quoted } from '../framed-text.ts';
import { type Decision, type Item, type Memory, MemoryError } from '../memory.ts';
import { namedBy } from '../resource-uri.ts';
import { checksumOf, id, object } from './fields.ts';
import { changedText, maxOldLength, type TextChange } from './text-change.ts';
import { tool } from './tool.ts';

const input = z.object({
  row_key: id,
  content: z.string().max(maxContentBytes).optional(),
  append: z.string().min(1).max(maxContentBytes).optional(),
  replace: z
    .strictObject({ old: z.string().min(1).max(maxOldLength), new: z.string().max(maxContentBytes) })
    .optional(),
  move_to: id.optional(),
  remove: z.literal(true).optional(),
  base_checksum: z
    .string()
    .regex(checksumPattern, 'It must be a checksum that fetch gave you.')
    .nullable()
    .optional(),
  tier: z.enum(tiers).optional(),
  frontmatter: object.optional(),
});
type Input = z.output<typeof input>;

const output = z.object({
  row_key: z.string(),
  checksum: z.string().nullable(),
  tier: z.string(),
  created: z.boolean(),
});
type Output = z.input<typeof output>;

const ways = ['content', 'append', 'replace', 'move_to', 'remove'] as const;

/** Writes one item, or a part of it. */
export const pushTool = tool({
  name: 'push',
  title: 'Write',
  description:
    'Write one item: its whole content (base_checksum null creates it, else from fetch), or a part of it or of a decision: append, or replace what stands in exactly one place. Or move_to, or remove. Refused if it changed since base_checksum. Keeps tier and frontmatter unless given. row_key: a path such as notes/deploy.md. No private text, no secrets.',
  input,
  output,
  // What it replaces is kept as a version, but is no longer what others read.
  annotations: { readOnlyHint: false, destructiveHint: true },
  writes: true,
  async run(given, { memory, signal }) {
    const change = wantedChange(given);
    const named = namedBy(given.row_key);
    const result =
      named.kind === 'decision'
        ? await editDecision(memory, named.decisionId, { given, change }, signal)
        : await writeItem(memory, { given, change }, signal);
    const { done, ...data } = result;
    const checksum = data.checksum === null ? '' : `, checksum ${data.checksum}`;
    return { text: `${done} ${quoted(data.row_key)}, tier ${data.tier}${checksum}`, data };
  },
});

/** What is to happen to a text; undefined where the item is moved or removed. */
interface Write {
  given: Input;
  change: TextChange | undefined;
}

interface Written extends Output {
  done: 'Created' | 'Replaced' | 'Changed' | 'Moved to' | 'Removed';
}

/** Returns what is to happen to the text. */
function wantedChange(given: Input): TextChange | undefined {
  if (ways.filter((way) => given[way] !== undefined).length !== 1) {
    throw new MemoryError('invalid_request', `Give exactly one of ${ways.join(', ')}.`);
  }
  const { content, append, replace, base_checksum: base } = given;
  if (content === undefined && base === null) {
    throw new MemoryError('invalid_request', 'base_checksum null creates an item, which needs content.');
  }
  if (content !== undefined && base === undefined) {
    throw new MemoryError(
      'invalid_request',
      'content needs base_checksum: null for a new item, else the checksum that fetch gave you.',
    );
  }
  if (content !== undefined) return { content };
  if (append !== undefined) return { append };
  return replace && { replace };
}

async function writeItem(memory: Memory, { given, change }: Write, signal: AbortSignal): Promise<Written> {
  const { row_key, base_checksum, tier: wantedTier, frontmatter } = given;
  const stored = base_checksum === null ? undefined : await memory.getItem(row_key, { signal });
  const isWhole = change !== undefined && 'content' in change;
  // The service compares the checksum of a whole text, so that one that is sent again is no conflict.
  if (stored !== undefined && !isWhole) requireBase(stored.checksum, base_checksum);
  if (given.remove && stored !== undefined) {
    await memory.removeItem(stored, { signal });
    return { done: 'Removed', row_key, checksum: null, tier: stored.tier, created: false };
  }
  const content = textAfter(stored?.content ?? '', change);
  const checksum = checksumOf(content);
  const to = given.move_to ?? row_key;
  if (given.move_to !== undefined) await requireFree(memory, to, signal);
  const isNew = stored === undefined || given.move_to !== undefined;
  const tier = wantedTier ?? stored?.tier ?? memory.holder.tier;
  const item = {
    row_key: to,
    content,
    checksum,
    base_checksum: isNew ? null : (base_checksum ?? stored.checksum),
    tier,
    ...(frontmatter === undefined ? keptFrontmatter(stored) : { frontmatter }),
  };
  await memory.pushItem(item, { signal });
  const written = { row_key: to, checksum, tier, created: isNew };
  if (stored === undefined) return { done: 'Created', ...written };
  if (given.move_to === undefined) return { done: isWhole ? 'Replaced' : 'Changed', ...written };
  await removeMoved(memory, stored, { row_key: to, checksum }, signal);
  return { done: 'Moved to', ...written };
}

/** What is there already could be the same text, which a push takes for done: to move onto it would remove one of the two. */
async function requireFree(memory: Memory, rowKey: string, signal: AbortSignal): Promise<void> {
  if (namedBy(rowKey).kind !== 'item') {
    throw new MemoryError('invalid_request', 'Only an item can have this row_key; choose another.');
  }
  const there = await memory.getItem(rowKey.normalize('NFC'), { signal }).catch((error) => {
    if (error instanceof MemoryError && error.code === 'not_found') return undefined;
    throw error;
  });
  if (there !== undefined) {
    throw new MemoryError('invalid_request', 'There is another item with this row_key; choose another.');
  }
}

/** Refusals after which nothing was removed for certain. */
const refusals: ReadonlySet<string> = new Set(['conflict', 'forbidden_access', 'forbidden_tier']);

/** Removes what was moved. Where that is refused, the copy goes again. */
async function removeMoved(
  memory: Memory,
  stored: Item,
  copy: Pick<Item, 'row_key' | 'checksum'>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await memory.removeItem(stored, { signal });
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    if (refusals.has(error.code)) {
      await memory.removeItem(copy, { signal }).catch(() => undefined);
      throw error;
    }
    const both = `It is stored as ${quoted(copy.row_key)} now, and may be left as ${quoted(stored.row_key)} too.`;
    throw new MemoryError(error.code, `${both} ${error.message}`, { cause: error });
  }
}

/** Changes the body of a decision, so that its tasks can be ticked. All else of it stays. */
async function editDecision(
  memory: Memory,
  decisionId: string,
  { given, change }: Write,
  signal: AbortSignal,
): Promise<Written> {
  if (memory.editDecision === undefined || change === undefined) {
    throw new MemoryError('invalid_request', 'Decisions are edited in the dashboard, not with this tool.');
  }
  const decision: Decision = await memory.getDecision(decisionId, { signal });
  const content = textAfter(decision.body, change);
  const { row_key, base_checksum } = given;
  const done = 'content' in change ? 'Replaced' : 'Changed';
  const written: Written = {
    done,
    row_key,
    checksum: checksumOf(content),
    tier: decision.audience,
    created: false,
  };
  if (content === decision.body) return written;
  requireBase(checksumOf(decision.body), base_checksum);
  await memory.editDecision(decision, content, { signal });
  return written;
}

/** @throws MemoryError `conflict` where the version that was read is not the one that the change was made for. */
function requireBase(currentChecksum: string, base: string | null | undefined): void {
  if (base === undefined || base?.toLowerCase() === currentChecksum) return;
  throw new MemoryError('conflict', 'It has changed.', { currentChecksum });
}

/** Returns the text after a change; the same without one. */
function textAfter(before: string, change: TextChange | undefined): string {
  if (change === undefined) return before;
  const after = changedText(before, change);
  const isNew = 'content' in change || !beginsWithFrontMatter(before);
  if (isNew && beginsWithFrontMatter(after)) {
    throw new MemoryError(
      'invalid_request',
      'Give front matter as the argument frontmatter, not between --- lines in content.',
    );
  }
  return after;
}

function beginsWithFrontMatter(text: string): boolean {
  return /^---[ \t]*\r?\n/.test(text);
}

function keptFrontmatter(item: Item | undefined): Pick<Item, 'frontmatter' | 'frontmatter_text'> {
  const { frontmatter = {}, frontmatter_text } = item ?? {};
  return frontmatter_text === undefined ? { frontmatter } : { frontmatter, frontmatter_text };
}
