import { timestampDate } from '@bufbuild/protobuf/wkt';
import { type SkippedText, SkipReason } from '@teammemory/proto/content/v1/content_pb.ts';
import { Table } from '../../components/table.tsx';
import { When } from '../../components/time.tsx';
import { t } from '../../language/language.ts';
import { decisionPath, itemPath } from '../../service/paths.ts';
import { ReloadableCard } from './reloadable-card.tsx';
import { loadSkippedTexts } from './team-data.ts';
import styles from './team-page.module.css';

const reasons: Readonly<Record<number, string>> = {
  [SkipReason.TOO_COMPLEX]: t('None of its tasks are shown, because reading the text takes too long.'),
  [SkipReason.TOO_MANY]: t('Its first 2,000 tasks are shown, because a text may have no more.'),
  [SkipReason.TOO_DEEP]: t('Tasks in more than ten lists and quotes within each other are not shown.'),
  [SkipReason.TOO_LONG]: t('Tasks behind the first 256 Ki characters are not shown.'),
};

/** The items and decisions of which tasks are missing, with the reason. */
export function SkippedTexts() {
  return (
    <ReloadableCard
      title={t('Texts with missing tasks')}
      load={loadSkippedTexts}
      empty={{
        icon: 'check',
        title: t('No task is missing'),
        text: t('Texts that are too long, or have too many tasks, stand here with the reason.'),
      }}
    >
      {(texts) => (
        <Table
          caption={t('Texts of which tasks are missing')}
          rows={texts}
          keyOf={({ rowKey, decisionId }) => rowKey || decisionId}
          columns={[
            { heading: t('Text'), cell: (text) => <TextLink target={text} /> },
            {
              heading: t('Why'),
              cell: ({ reason }) => <p class={styles.detail}>{reasons[reason] ?? t('Tasks are missing.')}</p>,
            },
            {
              heading: t('Noticed'),
              cell: ({ noticedAt }) => noticedAt && <When at={timestampDate(noticedAt)} />,
            },
          ]}
        />
      )}
    </ReloadableCard>
  );
}

function TextLink({ target: { rowKey, decisionId } }: { target: SkippedText }) {
  if (rowKey === '') return <a href={decisionPath(decisionId)}>{t('A decision')}</a>;
  return (
    <a href={itemPath(rowKey)} dir="auto">
      {rowKey}
    </a>
  );
}
