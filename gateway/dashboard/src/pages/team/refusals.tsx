import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Refusal } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { useState } from 'preact/hooks';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { When } from '../../components/time.tsx';
import { useRequest } from '../../data/use-request.ts';
import { isTeamAdministrator } from '../../service/session.ts';
import { Choice } from './choice.tsx';
import { requestWords } from './request-words.ts';
import { loadRefusals } from './team-data.ts';
import styles from './team-page.module.css';

/** The last refusals by their reasons: of the whole team for administrators, of one's own calls for other members. */
export function Refusals() {
  const { value: refusals, problem, isLoading, reload } = useRequest(loadRefusals, []);
  const [chosen, setChosen] = useState('');
  if (refusals === undefined) {
    return problem === undefined ? (
      <Skeleton lines={6} />
    ) : (
      <ProblemNotice problem={problem} onRetry={reload} />
    );
  }
  if (refusals.length === 0) {
    return (
      <EmptyState
        icon="check"
        title={isTeamAdministrator() ? 'Nothing was refused' : 'Nothing of yours was refused'}
        action={<Button onClick={reload}>Look again</Button>}
      >
        What the service refuses stands here a second later, with the reason: a key that may not write, an
        item that is too large, a limit that was reached.
      </EmptyState>
    );
  }
  const counts = countByCode(refusals);
  // A code that a reload no longer has shows everything again.
  const code = counts.some(([name]) => name === chosen) ? chosen : '';
  const shown = refusals.filter((refusal) => code === '' || refusal.code === code);
  return (
    <Card
      title={isTeamAdministrator() ? 'Last refusals of the team' : 'Last refusals of your calls'}
      isFlush
      actions={
        <Button isBusy={isLoading} onClick={reload}>
          Look again
        </Button>
      }
    >
      <ProblemNotice problem={problem} onRetry={reload} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would look like a form. */}
      <div class={styles.codes} role="group" aria-label="Reasons">
        <Choice label="All" count={refusals.length} isChosen={code === ''} onChoose={() => setChosen('')} />
        {counts.map(([name, count]) => (
          <Choice
            key={name}
            label={wordsOf(name)}
            count={count}
            isChosen={code === name}
            onChoose={() => setChosen(name)}
          />
        ))}
      </div>
      <Table
        caption="Refusals, newest first"
        rows={shown.map((refusal, index) => ({ refusal, index }))}
        keyOf={({ index }) => String(index)}
        columns={columns}
      />
    </Card>
  );
}

const columns: Column<{ refusal: Refusal }>[] = [
  { heading: 'When', cell: ({ refusal: { at } }) => at && <When at={timestampDate(at)} /> },
  {
    heading: 'Why',
    cell: ({ refusal: { code, detail } }) => (
      <div>
        <Badge tone="warn">{wordsOf(code)}</Badge>
        <p class={styles.detail}>{detail}</p>
      </div>
    ),
  },
  {
    heading: 'What',
    cell: ({ refusal: { request, rowKey } }) => (
      <div class={styles.detail}>
        {requestWords(request)}
        {rowKey !== '' && <p class={styles.muted}>{rowKey}</p>}
      </div>
    ),
  },
  {
    heading: 'Who',
    cell: ({ refusal: { memberHandle, keyId } }) => (
      <div>
        {memberHandle}
        <p class={`${styles.key} ${styles.muted}`}>{keyId}</p>
      </div>
    ),
  },
];

/** A code in words: `rate_limited` as "Rate limited". */
function wordsOf(code: string): string {
  const words = code.replaceAll('_', ' ').replace('json', 'JSON');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Codes with their counts, the most frequent first. */
function countByCode(refusals: readonly Refusal[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { code } of refusals) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}
