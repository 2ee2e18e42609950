import { checksumPattern } from '@teammemory/vocabulary/formats.ts';
import { maxContentBytes } from '@teammemory/vocabulary/limits.ts';
import { tiers } from '@teammemory/vocabulary/tier.ts';
import { z } from 'zod';
import { quoted } from '../framed-text.ts';
import { type Decision, type Item, type Memory, MemoryError } from '../memory.ts';
import { namedBy } from '../resource-uri.ts';
import { checksumOf, id, object } from './fields.ts';
import { frontMatterAfter } from './front-matter.ts';
import { itemIfAny, moveItem } from './move-item.ts';
import { proposes, requireSameBase, waitingItem } from './proposals.ts';
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
    const waits = data.proposed ? `. ${waitingNotice}` : '';
    return { text: `${done} ${quoted(data.row_key)}, tier ${data.tier}${checksum}${waits}`, data };
  },
});

const waitingNotice =
  'Nothing is stored yet: it waits until a reviewer accepts it. changes tells what became of it.';

/** What is to happen to a text; undefined where the item is moved or removed. */
interface Write {
  given: Input;
  change: TextChange | undefined;
}

interface Written extends Output {
  /** It waits for a reviewer; told without the words of a schema. */
  proposed?: boolean;
  done: 'Created' | 'Replaced' | 'Changed' | 'Unchanged' | 'Moved to' | 'Removed' | 'Proposed';
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
  const isWhole = change !== undefined && 'content' in change;
  if (proposes(memory) && change === undefined) {
    throw new MemoryError('forbidden_access', 'This key proposes texts. It neither moves nor removes items.');
  }
  const waiting = proposes(memory) && !isWhole ? await waitingItem(memory, row_key, signal) : undefined;
  const stored = await readStored(memory, { row_key, base_checksum, waits: waiting !== undefined }, signal);
  if (waiting !== undefined) requireSameBase(waiting, stored?.checksum);
  // The service compares the checksum of a whole text, so that one that is sent again is no conflict.
  if (stored !== undefined && !isWhole && base_checksum !== waiting?.checksum) {
    requireBase(stored.checksum, base_checksum);
  }
  if (given.remove && stored !== undefined) {
    await memory.removeItem(stored, { signal });
    return { done: 'Removed', row_key, checksum: null, tier: stored.tier, created: false };
  }
  const before = waiting ?? stored;
  const content = textAfter(before?.content ?? '', change);
  const { fields, head } = frontMatterAfter(frontmatter, before, content);
  const checksum = checksumOf(head + content);
  const tier = wantedTier ?? before?.tier ?? memory.holder.tier;
  const item = { row_key, content, checksum, tier, ...fields };
  if (given.move_to !== undefined && stored !== undefined) {
    const to = given.move_to.normalize('NFC');
    await moveItem(memory, stored, { ...item, row_key: to, base_checksum: null }, signal);
    return { done: 'Moved to', row_key: to, checksum, tier, created: true };
  }
  const base = stored === undefined ? null : isWhole ? (base_checksum ?? null) : stored.checksum;
  const { proposed } = await memory.pushItem({ ...item, base_checksum: base }, { signal });
  if (proposed) return { done: 'Proposed', row_key, checksum, tier, created: false, proposed };
  const written = { row_key, checksum, tier, created: stored === undefined };
  if (stored === undefined) return { done: 'Created', ...written };
  if (stored.checksum === checksum && stored.tier === tier) return { done: 'Unchanged', ...written };
  return { done: isWhole ? 'Replaced' : 'Changed', ...written };
}

/** Reads the item that is changed; undefined for a new one, which may wait as a proposal. */
async function readStored(
  memory: Memory,
  { row_key, base_checksum, waits }: Pick<Input, 'row_key' | 'base_checksum'> & { waits: boolean },
  signal: AbortSignal,
): Promise<Item | undefined> {
  if (base_checksum === null) return undefined;
  return waits ? itemIfAny(memory, row_key, { signal }) : memory.getItem(row_key, { signal });
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
  if (given.tier !== undefined || given.frontmatter !== undefined) {
    throw new MemoryError(
      'invalid_request',
      'Of a decision this tool changes the text, neither tier nor frontmatter.',
    );
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
  if (content === decision.body) return { ...written, done: 'Unchanged' };
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
