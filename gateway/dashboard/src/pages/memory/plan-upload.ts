import { frontmatterTier, tierToPush } from '@teammemory/sync/format/frontmatter-tier.ts';
import { SyncError } from '@teammemory/sync/sync-error.ts';
import { maxContentBytes, maxFrontmatterBytes } from '@teammemory/vocabulary/limits.ts';
import { rowKeyFault } from '@teammemory/vocabulary/row-key.ts';
import type { ItemSummary } from '../../data/item-summaries.ts';
import { readSummaries } from '../../data/item-summaries.ts';
import { t } from '../../language/language.ts';
import { contentToPush } from '../../service/item-text.ts';
import type { ItemToPush } from '../../service/items.ts';
import { problemOf } from '../../service/problem.ts';
import { mayChange, session } from '../../service/session.ts';
import type { ChosenFile } from './chosen-files.ts';

/** The service accepts no larger file. */
const maxFileBytes = maxContentBytes + 2 * maxFrontmatterBytes;

/** What will become of a file, or has become of it. */
export interface PlannedFile {
  path: string;
  state: 'new' | 'changed' | 'unchanged' | 'refused' | 'stored';
  /** Why it is refused. */
  reason: string;
  /** The item that a new or changed file becomes. */
  item?: ItemToPush;
}

/**
 * Says what uploading files into a folder will do, without doing it. Nothing of a file that is refused leaves the browser
 * but its path. Rejects as the RPC does that asks for the items that are there.
 */
export async function planUpload(
  files: readonly ChosenFile[],
  folder: string,
  signal: AbortSignal,
): Promise<PlannedFile[]> {
  const placed = files.map(({ path, file }) => ({
    file,
    path: (folder === '' ? path : `${folder}/${path}`).normalize('NFC'),
  }));
  const possible = placed.flatMap(({ path }) => (rowKeyFault(path) === undefined ? path : []));
  const known = await readSummaries(possible, signal);
  const seen = new Set<string>();
  const planned: PlannedFile[] = [];
  for (const { path, file } of placed) {
    const isTwice = seen.has(path);
    seen.add(path);
    planned.push(
      isTwice
        ? refused(path, t('Another of these files has the same path.'))
        : await plan(path, file, known.get(path)),
    );
  }
  return planned;
}

async function plan(path: string, file: File, stored: ItemSummary | undefined): Promise<PlannedFile> {
  if (!/\.(?:md|markdown)$/i.test(path)) return refused(path, t('It is not a Markdown file.'));
  if (file.size > maxFileBytes) return refused(path, t('It is larger than 1 MiB.'));
  const fault = rowKeyFault(path);
  if (fault !== undefined) return refused(path, t('Its path {fault}.', { fault }));
  const text = await textOf(file);
  if (text === undefined) return refused(path, t('It is not text in UTF-8, or cannot be read.'));
  if (stored !== undefined && !mayChange(stored))
    return refused(path, t('Your key does not change this note.'));
  try {
    const content = contentToPush(text);
    if (stored?.checksum === content.checksum) return { path, state: 'unchanged', reason: '' };
    const { tier } = tierToPush({
      asked: undefined,
      audience: frontmatterTier(content.frontmatter),
      origin: stored && { tier: stored.tier, checksum: stored.checksum, fileChecksum: stored.checksum },
      originAudience: 'unknown',
      keyTier: session.value?.tier ?? 'team',
      revives: false,
      tierIsNews: false,
    });
    if (tier === 'team' && session.value?.tier === 'external') {
      return refused(path, t('Its audience is the team, and your key writes only what guests see.'));
    }
    const base_checksum = stored?.checksum ?? null;
    const item: ItemToPush = {
      ...content,
      row_key: path,
      tier: tier === 'external' ? 'external' : 'team',
      base_checksum,
    };
    return { path, state: stored === undefined ? 'new' : 'changed', reason: '', item };
  } catch (thrown) {
    if (thrown instanceof SyncError) return refused(path, t('It {message}.', { message: thrown.message }));
    return refused(path, problemOf(thrown).message);
  }
}

function refused(path: string, reason: string): PlannedFile {
  return { path, state: 'refused', reason };
}

async function textOf(file: File): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
  } catch {
    return undefined;
  }
}
