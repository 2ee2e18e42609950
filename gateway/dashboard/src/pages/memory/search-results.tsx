import type { RankedPassage } from '@teammemory/proto/query/v1/query_pb.ts';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Badge, GuestBadge } from '../../components/badge.tsx';
import { Icon } from '../../components/icon.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import type { ItemSummary } from '../../data/item-summaries.ts';
import { useRequest } from '../../data/use-request.ts';
import { useSettled } from '../../data/use-settled.ts';
import { t } from '../../language/language.ts';
import { decisionPath, itemPath, projectPath } from '../../service/paths.ts';
import { rpc } from '../../service/rpc.ts';
import styles from './browser.module.css';
import { excerptOf } from './excerpt.ts';
import { itemsNamed } from './folder.ts';

/** Whoever types faster than this is asked for once. */
const typingMs = 200;
const maxNamed = 6;
const maxPassages = 30;

/** What is found while one types: items of the folder by their names at once, passages of all items a moment later. */
export function SearchResults({
  query,
  items,
  opened,
}: {
  query: string;
  /** Those of the folder that have been read. */
  items: readonly ItemSummary[];
  opened: string | undefined;
}) {
  const settled = useSettled(query, typingMs);
  const named = useMemo(() => itemsNamed(items, query, maxNamed), [items, query]);
  const { value, problem, reload } = useRequest(
    async (signal) =>
      (await rpc.query.search({ question: settled, limit: maxPassages }, { signal })).passages,
    [settled],
  );
  const [latest, setLatest] = useState<readonly RankedPassage[]>();
  // The passages of the last words stay until those of the next ones come, so that nothing jumps.
  useEffect(() => {
    if (value !== undefined) setLatest(value);
  }, [value]);
  const parameters = `?q=${encodeURIComponent(query)}`;
  const isNothing = latest?.length === 0 && named.length === 0;
  return (
    <div class={styles.results}>
      <ProblemNotice problem={problem} onRetry={reload} />
      <p class="visually-hidden" role="status">
        {latest === undefined
          ? t('Searching')
          : t('{names} names and {passages} passages found', {
              names: named.length,
              passages: latest.length,
            })}
      </p>
      {named.length > 0 && (
        <section aria-labelledby="named">
          <h2 id="named">{t('In this folder')}</h2>
          <ul>
            {named.map((item) => (
              <li key={item.row_key}>
                <Link
                  href={itemPath(item.row_key) + parameters}
                  class={styles.row}
                  aria-current={item.row_key === opened ? 'page' : undefined}
                >
                  <span class={styles.fileIcon}>
                    <Icon name="file" />
                  </span>
                  <span class={styles.names}>
                    <span class={styles.name} dir="auto">
                      {item.title}
                    </span>
                    <span class={styles.detail}>{item.row_key}</span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {latest === undefined && problem === undefined && <Skeleton lines={6} label={t('Searching')} />}
      {latest !== undefined && latest.length > 0 && (
        <section aria-labelledby="passages">
          <h2 id="passages">{t('Passages')}</h2>
          <ul>
            {latest.map((passage) => (
              <li key={`${passage.kind} ${passage.rowKey} ${passage.ordinal}`}>
                <Passage passage={passage} parameters={parameters} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {isNothing && <p class={styles.nothing}>{t('Nothing fits these words.')}</p>}
    </div>
  );
}

function Passage({ passage, parameters }: { passage: RankedPassage; parameters: string }) {
  const { rowKey, title, headings, text, kind, ordinal } = passage;
  const path = {
    decision: decisionPath(rowKey.slice('decisions/'.length)),
    project: projectPath(rowKey.slice('projects/'.length)),
  }[kind];
  return (
    <Link
      href={path ?? `${itemPath(rowKey)}${parameters}&passage=${ordinal}`}
      state={{ passage: text }}
      class={styles.passage}
    >
      <span class={styles.passageTitle} dir="auto">
        {title}
        {kind !== 'item' && <Badge tone="accent">{kind}</Badge>}
        <GuestBadge byGuest={passage.byGuest} />
      </span>
      <span class={styles.detail}>{[rowKey, ...headings.slice(-1)].join(' › ')}</span>
      <span class={styles.excerpt} dir="auto">
        {excerptOf(text)}
      </span>
    </Link>
  );
}
