import { reviewDay } from '@teammemory/vocabulary/freshness.ts';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { Link, useLocation, useSearchParams } from 'wouter-preact';
import { Badge, GuestBadge, TierBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Icon } from '../../components/icon.tsx';
import { Markdown } from '../../components/markdown.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { Day, When } from '../../components/time.tsx';
import { draftOf, noteDraftName } from '../../data/drafts.ts';
import type { ItemSummary } from '../../data/item-summaries.ts';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import { type Item, readItem } from '../../service/items.ts';
import { itemPath, writePath } from '../../service/paths.ts';
import { rpc } from '../../service/rpc.ts';
import { isTeamMember, mayChange } from '../../service/session.ts';
import { folderOf } from './folder.ts';
import { ItemCoverage } from './item-coverage.tsx';
import { ItemHistory } from './item-history.tsx';
import styles from './item-view.module.css';
import { OwnRefusal } from './own-refusal.tsx';
import { RemoveItem } from './remove-item.tsx';

const maxPassages = 100;

/** One item: its text as it reads or as it was written, what it was before, and whether a search finds it. */
export function ItemView({
  rowKey,
  query,
  summary,
}: {
  rowKey: string;
  query: string;
  /** What its list says of it; undefined until that is known, and where there is no such item. */
  summary: ItemSummary | undefined;
}) {
  const [, navigate] = useLocation();
  const [parameters, setParameters] = useSearchParams();
  const view = parameters.get('view') ?? 'text';
  const ordinal = parameters.get('passage');
  // Asked for again when the item has changed, because its checksum is another one then.
  const { value, problem, isLoading, reload } = useRequest(
    (signal) => readItem(rowKey, signal),
    [rowKey, summary?.checksum, summary?.tier],
  );
  // What is shown stays while it is read again, and with it what somebody is doing there.
  const [{ item, isGone }, setShown] = useState<{ item?: Item; isGone: boolean }>({ isGone: false });
  useEffect(() => {
    if (isLoading) return;
    if (problem?.code === 'not_found') setShown((shown) => ({ ...shown, isGone: true }));
    else if (value !== undefined) setShown({ item: value, isGone: false });
  }, [value, problem, isLoading]);
  const passage = useRequest(
    (signal) => readPassage(rowKey, query, ordinal, signal),
    [rowKey, ordinal, ordinal === null ? '' : query],
  );
  const title = item?.title ?? summary?.title ?? rowKey.slice(rowKey.lastIndexOf('/') + 1);
  const heading = usePageTitle(title);
  const folder = folderOf(rowKey);
  const select = (name: string) => {
    const others = [...parameters].filter(([key]) => key !== 'view');
    setParameters(name === 'text' ? others : [...others, ['view', name]]);
  };
  return (
    <article class={styles.item} aria-label={title}>
      <header class={styles.header}>
        <Link href={folder === '' ? '/memory' : itemPath(folder)} class={styles.back}>
          <Icon name="back" /> {folder === '' ? t('All folders') : folder}
        </Link>
        <h1 ref={heading} tabIndex={-1} dir="auto">
          {title}
        </h1>
        <div class={styles.path}>
          <code>{rowKey}</code>
          <CopyButton text={rowKey} label={t('Copy path')} isQuiet />
        </div>
        {item !== undefined && !isGone && (
          <div class={styles.facts}>
            {isTeamMember() && <TierBadge tier={item.tier} />}
            {isTeamMember() && <GuestBadge byGuest={item.by_guest} />}
            <ToBeChecked item={item} />
            <span>
              {item.updated_by}, <When at={item.updated_at} />
            </span>
            <ItemCoverage rowKey={rowKey} version={`${item.checksum} ${item.tier}`} />
            {mayChange(item) && (
              <Button icon="edit" onClick={() => navigate(writePath({ item: rowKey }))}>
                {draftOf(noteDraftName(rowKey)) === undefined ? t('Edit') : t('Go on writing')}
              </Button>
            )}
            <RemoveItem item={item} onRemoved={reload} />
          </div>
        )}
      </header>
      {(isGone || item !== undefined) && (
        <OwnRefusal rowKey={rowKey} since={isGone ? undefined : item?.updated_at} />
      )}
      {problem !== undefined && problem.code !== 'not_found' && (
        <ProblemNotice problem={problem} onRetry={reload} />
      )}
      {isGone && !isTeamMember() && <NotThere />}
      {!isGone && (
        <Tabs
          label={t('What to see of the item')}
          tabs={[
            { name: 'text', label: t('Text') },
            { name: 'source', label: t('Source') },
            { name: 'history', label: t('History') },
          ]}
          selected={view}
          onSelect={select}
        />
      )}
      {isLoading && item === undefined && !isGone && <Skeleton lines={10} />}
      {item !== undefined && !isGone && view === 'text' && (
        <ItemText item={item} highlight={passage.value ?? ''} />
      )}
      {item !== undefined && !isGone && view === 'source' && <Source text={item.content} />}
      {isGone && isTeamMember() && (
        <ItemHistory rowKey={rowKey} present={undefined} notThere={<NotThere />} onRestored={reload} />
      )}
      {!isGone && item !== undefined && view === 'history' && (
        <ItemHistory rowKey={rowKey} present={item} onRestored={reload} />
      )}
    </article>
  );
}

function ItemText({ item, highlight }: { item: Item; highlight: string }) {
  const line = useLine();
  const fields = Object.entries(item.frontmatter);
  // The page shows the title above the text already.
  const withoutTitle = useCallback(
    (element: HTMLElement) => {
      const first = element.firstElementChild;
      if (first?.tagName === 'H3' && first.textContent.trim() === item.title) first.remove();
    },
    [item.title],
  );
  return (
    <>
      {fields.length > 0 && (
        <dl class={styles.fields}>
          {fields.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{fieldText(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {item.content.trim() === '' ? (
        <p class={styles.blank}>{t('This item has no text.')}</p>
      ) : (
        <Markdown
          text={item.content}
          rowKey={item.row_key}
          highlight={highlight}
          line={line}
          onRendered={withoutTitle}
        />
      )}
    </>
  );
}

/** The text as it was written, with its lines numbered. */
function Source({ text }: { text: string }) {
  const numbers = useMemo(
    () =>
      text
        .split('\n')
        .map((_, index) => index + 1)
        .join('\n'),
    [text],
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section class={styles.source} tabIndex={0} aria-label={t('Source')}>
      <pre aria-hidden="true" class={styles.numbers}>
        {numbers}
      </pre>
      <pre>{text}</pre>
    </section>
  );
}

function NotThere() {
  return (
    <EmptyState icon="search" title={t('There is no such item')}>
      {t('It may have been moved or removed, or your key does not open it.')}
    </EmptyState>
  );
}

/** A field of the front matter as one reads it. */
function fieldText(value: unknown) {
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)) return <Day value={value} />;
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) {
    return value.map((each, index) => <Badge key={index}>{String(each)}</Badge>);
  }
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** The line that the address names, as in #L12. */
function useLine(): number {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const change = () => setHash(location.hash);
    change();
    addEventListener('hashchange', change);
    return () => removeEventListener('hashchange', change);
  }, []);
  return Number(/^#L(\d{1,7})$/.exec(hash)?.[1] ?? 0);
}

/** The passage that a search led to; it is found again, so that the address is all that a link needs. */
async function readPassage(
  rowKey: string,
  query: string,
  ordinal: string | null,
  signal: AbortSignal,
): Promise<string> {
  if (ordinal === null || query === '') return '';
  // Whoever came by a click has it already.
  const known: unknown = history.state?.passage;
  if (typeof known === 'string') return known;
  const { passages } = await rpc.query.search({ question: query, limit: maxPassages }, { signal });
  const found = passages.find((each) => each.rowKey === rowKey && `${each.ordinal}` === ordinal);
  return found?.text ?? '';
}

/** Marks a note that its author wanted to be checked again by a day that has passed. */
function ToBeChecked({ item: { frontmatter, updated_at } }: { item: Item }) {
  const day = reviewDay(frontmatter, updated_at);
  if (day === undefined || day >= new Date().toISOString().slice(0, 10)) return null;
  return <Badge tone="warn">{t('To be checked since {day}', { day: <Day value={day} /> })}</Badge>;
}
