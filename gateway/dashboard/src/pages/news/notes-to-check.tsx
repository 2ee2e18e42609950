import { Link } from 'wouter-preact';
import { GuestBadge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Table } from '../../components/table.tsx';
import { Day } from '../../components/time.tsx';
import { readSummaries } from '../../data/item-summaries.ts';
import { useReload } from '../../data/use-reload.ts';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import { itemPath } from '../../service/paths.ts';
import { rpc } from '../../service/rpc.ts';

/** Notes whose day to be checked has passed: those that one wrote last, or all that the session sees. */
export function NotesToCheck({ isOwn }: { isOwn: boolean }) {
  const { value, problem, reload } = useRequest((signal) => readNotesToCheck(isOwn, signal), [isOwn]);
  useReload(reload);
  if (value === undefined) {
    return problem === undefined ? (
      <Skeleton lines={8} />
    ) : (
      <ProblemNotice problem={problem} onRetry={reload} />
    );
  }
  const { notes, hasMore } = value;
  if (notes.length === 0) {
    return (
      <EmptyState icon="check" title={t('No note waits to be checked')}>
        {t('The front matter of a note says when to check it: review_by: 2027-03-01, or stale_after: 90d.')}
      </EmptyState>
    );
  }
  return (
    <>
      <Card isFlush>
        <Table
          caption={t('Notes to be checked, the oldest day first')}
          rows={notes}
          keyOf={({ rowKey }) => rowKey}
          columns={[
            {
              heading: t('Note'),
              cell: ({ rowKey, title }) => (
                <Link href={itemPath(rowKey)} dir="auto" title={rowKey}>
                  {title}
                </Link>
              ),
            },
            { heading: t('Since'), cell: ({ checkBy }) => <Day value={checkBy} /> },
            {
              heading: t('Last written by'),
              cell: ({ updated_by, by_guest }) => (
                <>
                  {updated_by} <GuestBadge byGuest={by_guest} />
                </>
              ),
            },
          ]}
        />
      </Card>
      {hasMore && <p>{t('Only the first {count} are shown.', { count: notes.length })}</p>}
    </>
  );
}

async function readNotesToCheck(mine: boolean, signal: AbortSignal) {
  const { notes, hasMore } = await rpc.query.listNotesToCheck({ mine }, { signal });
  const rowKeys = notes.map(({ rowKey }) => rowKey);
  const summaries = await readSummaries(rowKeys, signal);
  // One that was removed meanwhile is left out.
  const shown = notes.flatMap(({ rowKey, title, checkBy }) => {
    const summary = summaries.get(rowKey);
    return summary === undefined ? [] : { ...summary, rowKey, title, checkBy };
  });
  return { notes: shown, hasMore };
}
