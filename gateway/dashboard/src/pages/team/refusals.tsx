import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Refusal } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { useState } from 'preact/hooks';
import { Badge } from '../../components/badge.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { When } from '../../components/time.tsx';
import { t } from '../../language/language.ts';
import { isTeamAdministrator } from '../../service/session.ts';
import { Choices } from './choices.tsx';
import { ReloadableCard } from './reloadable-card.tsx';
import { requestWords } from './request-words.ts';
import { loadRefusals } from './team-data.ts';
import styles from './team-page.module.css';

/** The last refusals by their reasons: of the whole team for administrators, of one's own calls for other members. */
export function Refusals() {
  const [chosen, setChosen] = useState('');
  return (
    <ReloadableCard
      title={isTeamAdministrator() ? t('Last refusals of the team') : t('Last refusals of your calls')}
      load={loadRefusals}
      empty={{
        icon: 'check',
        title: isTeamAdministrator() ? t('Nothing was refused') : t('Nothing of yours was refused'),
        text: t(
          'What the service refuses stands here a second later, with the reason: a key that may not write, an item that is too large, a limit that was reached.',
        ),
      }}
    >
      {(refusals) => {
        const counts = countByCode(refusals);
        // A code that a reload no longer has shows everything again.
        const code = counts.some(([name]) => name === chosen) ? chosen : '';
        const shown = refusals.filter((refusal) => code === '' || refusal.code === code);
        return (
          <>
            <Choices
              label={t('Reasons')}
              choices={[
                ['', t('All'), refusals.length],
                ...counts.map(([name, count]) => [name, wordsOf(name), count] as const),
              ]}
              chosen={code}
              onChoose={setChosen}
            />
            <Table
              caption={t('Refusals, newest first')}
              rows={shown.map((refusal, index) => ({ refusal, index }))}
              keyOf={({ index }) => String(index)}
              columns={columns}
            />
          </>
        );
      }}
    </ReloadableCard>
  );
}

const columns: Column<{ refusal: Refusal }>[] = [
  { heading: t('When'), cell: ({ refusal: { at } }) => at && <When at={timestampDate(at)} /> },
  {
    heading: t('Why'),
    cell: ({ refusal: { code, detail } }) => (
      <div>
        <Badge tone="warn">{wordsOf(code)}</Badge>
        <p class={styles.detail}>{detail}</p>
      </div>
    ),
  },
  {
    heading: t('What'),
    cell: ({ refusal: { request, rowKey } }) => (
      <div class={styles.detail}>
        {requestWords(request)}
        {rowKey !== '' && <p class={styles.muted}>{rowKey}</p>}
      </div>
    ),
  },
  {
    heading: t('Who'),
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
