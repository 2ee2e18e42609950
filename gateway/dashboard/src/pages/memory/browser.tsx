import { useEffect, useMemo } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { Badge, GuestBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Icon } from '../../components/icon.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { When } from '../../components/time.tsx';
import { VirtualList } from '../../components/virtual-list.tsx';
import { isLive } from '../../data/change-stream.ts';
import type { FolderEntry } from '../../data/folders.ts';
import type { ItemSummary } from '../../data/item-summaries.ts';
import { t } from '../../language/language.ts';
import { itemPath, writePath } from '../../service/paths.ts';
import type { Problem } from '../../service/problem.ts';
import { isTeamMember, mayWrite } from '../../service/session.ts';
import styles from './browser.module.css';
import { countWords, foldersAbove, itemCount } from './folder.ts';
import { SearchResults } from './search-results.tsx';
import { useCoverageBadges } from './use-coverage.ts';

const rowHeight = 52;

/** The list of one folder, and the search over all of them. */
export function Browser({
  entries,
  folder,
  opened,
  isRead,
  isComplete,
  problem,
  onRetry,
  onEnd,
  query,
  onUpload,
  onQuery,
}: {
  entries: readonly FolderEntry[];
  folder: string;
  /** Path of the item that is read beside it. */
  opened: string | undefined;
  /** Whether the beginning of the folder has been read. */
  isRead: boolean;
  /** Whether all of it has. */
  isComplete: boolean;
  problem: Problem | undefined;
  onRetry: () => void;
  /** Called when the last entries come into view. */
  onEnd: () => void;
  query: string;
  onUpload: () => void;
  onQuery: (words: string) => void;
}) {
  const [, navigate] = useLocation();
  const isEmpty = isRead && isComplete && folder === '' && entries.length === 0;
  const items = useMemo(
    () => entries.flatMap((entry) => (entry.kind === 'item' ? entry.item : [])),
    [entries],
  );
  return (
    <section class={styles.browser} aria-label={t('Folders and search')}>
      <header class={styles.header}>
        <div class={styles.title}>
          {opened === undefined ? (
            <FolderHeading folder={folder} />
          ) : (
            <p class={styles.heading}>{t('Memory')}</p>
          )}
          <p class={styles.count} role="status">
            {isRead &&
              (isLive.value
                ? countWords(entries, isComplete)
                : t('{items}, not live', { items: countWords(entries, isComplete) }))}
          </p>
          {mayWrite() && (
            <div class={styles.actions}>
              <Button onClick={onUpload}>{t('Upload')}</Button>
              <Button icon="plus" onClick={() => navigate(writePath({ folder }))}>
                {t('New note')}
              </Button>
            </div>
          )}
        </div>
        <search class={styles.search}>
          <Icon name="search" />
          <input
            type="search"
            aria-label={t('Search the memory')}
            placeholder={t('Search words, titles and paths')}
            maxLength={4_000}
            spellcheck={false}
            value={query}
            onInput={(event) => onQuery(event.currentTarget.value)}
          />
        </search>
      </header>
      <ProblemNotice problem={problem} onRetry={onRetry} />
      {isEmpty && <NothingYet />}
      {query.trim() !== '' && !isEmpty && (
        <SearchResults query={query.trim()} items={items} opened={opened} />
      )}
      {query.trim() === '' && !isEmpty && (
        <>
          <Breadcrumbs folder={folder} />
          {!isRead && problem === undefined && <Skeleton lines={8} />}
          {isRead && isComplete && entries.length === 0 && (
            <p class={styles.nothing}>{t('There is nothing in this folder.')}</p>
          )}
          {entries.length > 0 && <Entries entries={entries} folder={folder} opened={opened} onEnd={onEnd} />}
        </>
      )}
    </section>
  );
}

/** The heading of the page while no item is read. */
function FolderHeading({ folder }: { folder: string }) {
  const heading = usePageTitle(folder === '' ? t('Memory') : folder);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {t('Memory')}
    </h1>
  );
}

function Breadcrumbs({ folder }: { folder: string }) {
  const name = folder.slice(folder.lastIndexOf('/') + 1);
  return (
    <nav aria-label={t('Folders above')} class={styles.breadcrumbs}>
      <ol>
        <li>
          <Link href="/memory" aria-current={folder === '' ? 'page' : undefined}>
            {t('All folders')}
          </Link>
        </li>
        {foldersAbove(folder).map((above) => (
          <li key={above.path}>
            <Link href={itemPath(above.path)}>{above.name}</Link>
          </li>
        ))}
        {folder !== '' && (
          <li>
            <Link href={itemPath(folder)} aria-current="page">
              {name}
            </Link>
          </li>
        )}
      </ol>
    </nav>
  );
}

function Entries({
  entries,
  folder,
  opened,
  onEnd,
}: {
  entries: readonly FolderEntry[];
  folder: string;
  opened: string | undefined;
  onEnd: () => void;
}) {
  const { badges, seen } = useCoverageBadges();
  return (
    <div class={styles.entries} style={{ flexBasis: `${entries.length * rowHeight}px` }}>
      <VirtualList
        key={folder}
        label={folder === '' ? t('Outermost folder') : folder}
        rows={entries}
        keyOf={({ kind, path }) => `${kind} ${path}`}
        rowHeight={rowHeight}
        onEnd={onEnd}
        firstShown={entries.findIndex(({ kind, path }) => kind === 'item' && path === opened)}
      >
        {(entry) =>
          entry.kind === 'folder' ? (
            <FolderRow entry={entry} />
          ) : (
            <ItemRow
              item={entry.item}
              name={entry.name}
              isOpened={entry.path === opened}
              notFound={badges.get(`${entry.path} ${entry.item.checksum}`)}
              onSeen={seen}
            />
          )
        }
      </VirtualList>
    </div>
  );
}

function FolderRow({ entry: { name, path, count, hasMore } }: { entry: FolderEntry & { kind: 'folder' } }) {
  return (
    <Link href={itemPath(path)} class={styles.row}>
      <span class={styles.folderIcon}>
        <Icon name="folder" />
      </span>
      <span class={styles.names}>
        <span class={styles.name} dir="auto">
          {name}
        </span>
        <span class={styles.detail}>{itemCount(count, !hasMore)}</span>
      </span>
    </Link>
  );
}

function ItemRow({
  item,
  name,
  isOpened,
  notFound,
  onSeen,
}: {
  item: ItemSummary;
  name: string;
  isOpened: boolean;
  /** Says that a search does not find it, or not all of it. */
  notFound: { label: string; tone: 'warn' | 'bad' } | undefined;
  onSeen: (item: ItemSummary) => void;
}) {
  useEffect(() => onSeen(item), [item]);
  return (
    <Link href={itemPath(item.row_key)} class={styles.row} aria-current={isOpened ? 'page' : undefined}>
      <span class={styles.fileIcon}>
        <Icon name="file" />
      </span>
      <span class={styles.names}>
        <span class={styles.name} dir="auto">
          {item.title}
        </span>
        <span class={styles.detail}>{name}</span>
      </span>
      {notFound !== undefined && <Badge tone={notFound.tone}>{notFound.label}</Badge>}
      {item.tier === 'external' && isTeamMember() && <Badge tone="guest">{t('Guests too')}</Badge>}
      {isTeamMember() && <GuestBadge byGuest={item.by_guest} />}
      <span class={styles.by}>{item.updated_by}</span>
      <span class={styles.when}>
        <When at={item.updated_at} />
      </span>
    </Link>
  );
}

function NothingYet() {
  if (!isTeamMember()) {
    return (
      <EmptyState icon="memory" title={t('Nothing is shared with you yet')}>
        {t('What the team shares with guests shows here as soon as there is something.')}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="memory" title={t('The memory is empty')} command="tms sync ./notes">
      {t(
        'Put a folder of Markdown files in step with the team. Everybody with a key can read and ask about them a moment later:',
      )}
    </EmptyState>
  );
}
