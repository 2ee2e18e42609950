import { timestampDate } from '@bufbuild/protobuf/wkt';
import { type SkippedText, SkipReason } from '@teammemory/proto/content/v1/content_pb.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Table } from '../../components/table.tsx';
import { When } from '../../components/time.tsx';
import { useRequest } from '../../data/use-request.ts';
import { decisionPath, itemPath } from '../../service/paths.ts';
import { loadSkippedTexts } from './team-data.ts';
import styles from './team-page.module.css';

const reasons: Readonly<Record<number, string>> = {
  [SkipReason.TOO_COMPLEX]: 'None of its tasks are shown, because reading the text takes too long.',
  [SkipReason.TOO_MANY]: 'Its first 2,000 tasks are shown, because a text may have no more.',
  [SkipReason.TOO_DEEP]: 'Tasks in more than ten lists and quotes within each other are not shown.',
  [SkipReason.TOO_LONG]: 'Tasks behind the first 256 Ki characters are not shown.',
};

/** The items and decisions of which tasks are missing, with the reason. */
export function SkippedTexts() {
  const { value: texts, problem, isLoading, reload } = useRequest(loadSkippedTexts, []);
  if (texts === undefined) {
    return problem === undefined ? (
      <Skeleton lines={4} />
    ) : (
      <ProblemNotice problem={problem} onRetry={reload} />
    );
  }
  const again = (
    <Button isBusy={isLoading} onClick={reload}>
      Look again
    </Button>
  );
  if (texts.length === 0) {
    return (
      <EmptyState icon="check" title="No task is missing" action={again}>
        Texts that are too long, or have too many tasks, stand here with the reason.
      </EmptyState>
    );
  }
  return (
    <Card title="Texts with missing tasks" isFlush actions={again}>
      <ProblemNotice problem={problem} onRetry={reload} />
      <Table
        caption="Texts of which tasks are missing"
        rows={texts}
        keyOf={({ rowKey, decisionId }) => rowKey || decisionId}
        columns={[
          { heading: 'Text', cell: (text) => <TextLink target={text} /> },
          {
            heading: 'Why',
            cell: ({ reason }) => <p class={styles.detail}>{reasons[reason] ?? 'Tasks are missing.'}</p>,
          },
          {
            heading: 'Noticed',
            cell: ({ noticedAt }) => noticedAt && <When at={timestampDate(noticedAt)} />,
          },
        ]}
      />
    </Card>
  );
}

function TextLink({ target: { rowKey, decisionId } }: { target: SkippedText }) {
  if (rowKey === '') return <a href={decisionPath(decisionId)}>A decision</a>;
  return (
    <a href={itemPath(rowKey)} dir="auto">
      {rowKey}
    </a>
  );
}
