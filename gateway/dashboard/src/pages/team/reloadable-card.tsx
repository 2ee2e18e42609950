import type { ComponentChildren } from 'preact';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import type { IconName } from '../../components/icon.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';

/** A list that is loaded when it is shown, and again on request; without rows it says why there are none. */
export function ReloadableCard<Row>({
  load,
  title,
  empty,
  children,
}: {
  load: (signal: AbortSignal) => Promise<readonly Row[]>;
  title: string;
  empty: { icon: IconName; title: string; text: string };
  children: (rows: readonly Row[], reload: () => void) => ComponentChildren;
}) {
  const { value: rows, problem, isLoading, reload } = useRequest(load, []);
  if (rows === undefined) {
    return problem === undefined ? (
      <Skeleton lines={5} />
    ) : (
      <ProblemNotice problem={problem} onRetry={reload} />
    );
  }
  const again = (
    <Button isBusy={isLoading} onClick={reload}>
      {t('Look again')}
    </Button>
  );
  if (rows.length === 0) {
    return (
      <EmptyState icon={empty.icon} title={empty.title} action={again}>
        {empty.text}
      </EmptyState>
    );
  }
  return (
    <Card title={title} isFlush actions={again}>
      <ProblemNotice problem={problem} onRetry={reload} />
      {children(rows, reload)}
    </Card>
  );
}
