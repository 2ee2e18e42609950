import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { type Rating, RatingVerdict } from '@teammemory/proto/query/v1/query_pb.ts';
import { useState } from 'preact/hooks';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmAction } from '../../components/dialog.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { When } from '../../components/time.tsx';
import { useAction } from '../../data/use-action.ts';
import { t } from '../../language/language.ts';
import { rpc } from '../../service/rpc.ts';
import { Choices } from './choices.tsx';
import { groupRatings, type RatedQuestion } from './group-ratings.ts';
import { ReloadableCard } from './reloadable-card.tsx';
import { loadRatings } from './team-data.ts';
import styles from './team-page.module.css';

/** The most ratings that one call removes. */
const maxRemovedRatings = 100;

/** The rated questions: those without a helpful answer, and those that were answered. */
export function RatedQuestions() {
  const [chosen, setChosen] = useState('unhelpful');
  const [removed, setRemoved] = useState<RatedQuestion>();
  return (
    <ReloadableCard
      title={
        chosen === 'helpful' ? t('What people asked and found') : t('What people asked and did not find')
      }
      load={loadRatings}
      empty={{
        icon: 'ask',
        title: t('Nobody has rated an answer yet'),
        text: t(
          'Whoever asks a question can tell you whether the answer helped. Questions that nobody tells of are not kept.',
        ),
      }}
    >
      {(ratings, reload) => {
        const questions = groupRatings(ratings);
        const helpful = questions.filter((each) => each.ratings.every(isHelpful));
        const unhelpful = questions.filter((each) => !each.ratings.every(isHelpful));
        return (
          <>
            <Choices
              label={t('Which questions')}
              choices={[
                ['unhelpful', t('Not found'), unhelpful.length],
                ['helpful', t('Helped'), helpful.length],
              ]}
              chosen={chosen}
              onChoose={setChosen}
            />
            <Table
              caption={t('Questions that were rated, the newest first')}
              rows={chosen === 'helpful' ? helpful : unhelpful}
              keyOf={({ ratings: [newest] }) => newest?.ratingId ?? ''}
              columns={columnsWith(setRemoved)}
            />
            {removed !== undefined && (
              <RemoveQuestion
                target={removed}
                onClose={() => setRemoved(undefined)}
                onDone={() => {
                  setRemoved(undefined);
                  reload();
                }}
              />
            )}
          </>
        );
      }}
    </ReloadableCard>
  );
}

const columnsWith = (onRemove: (question: RatedQuestion) => void): Column<RatedQuestion>[] => [
  { heading: t('Question'), cell: (row) => <Asked row={row} /> },
  { heading: t('Said'), cell: ({ ratings }) => <Said ratings={ratings} /> },
  {
    heading: t('Last'),
    cell: ({ ratings: [newest] }) => newest?.ratedAt && <When at={timestampDate(newest.ratedAt)} />,
  },
  {
    heading: t('Actions'),
    isHeadingHidden: true,
    cell: (row) => (
      <div class={styles.acts}>
        <Button kind="quiet" onClick={() => onRemove(row)}>
          {t('Remove')}
          <span class="visually-hidden"> {row.question}</span>
        </Button>
      </div>
    ),
  },
];

function isHelpful({ verdict }: Rating): boolean {
  return verdict === RatingVerdict.HELPED;
}

function Asked({ row: { question, ratings } }: { row: RatedQuestion }) {
  return (
    <div class={styles.detail}>
      <a href={`/?${new URLSearchParams({ q: question })}`} dir="auto">
        {question}
      </a>
      {ratings.length > 1 && (
        <p class={styles.muted}>{t('rated {count} times', { count: ratings.length })}</p>
      )}
    </div>
  );
}

const verdictWords: Readonly<Record<number, string>> = {
  [RatingVerdict.HELPED]: t('it helped'),
  [RatingVerdict.NOT_HELPED]: t('it did not help'),
  [RatingVerdict.NO_ANSWER]: t('no answer came'),
};

function Said({ ratings }: { ratings: readonly Rating[] }) {
  return (
    <ul class={styles.detail}>
      {ratings.map(({ ratingId, memberHandle, tier, verdict, note }) => (
        <li key={ratingId}>
          {tier === Tier.EXTERNAL && <Badge tone="guest">{t('Guest')}</Badge>} {memberHandle}:{' '}
          {verdictWords[verdict]}
          {note !== '' && (
            <p class={styles.muted} dir="auto">
              {note}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function RemoveQuestion({
  target: { question, ratings },
  onClose,
  onDone,
}: {
  target: RatedQuestion;
  onClose: () => void;
  onDone: () => void;
}) {
  const remove = useAction(async () => {
    const ratingIds = ratings.map(({ ratingId }) => ratingId);
    for (let start = 0; start < ratingIds.length; start += maxRemovedRatings) {
      await rpc.query.removeRatings({ ratingIds: ratingIds.slice(start, start + maxRemovedRatings) });
    }
  });
  return (
    <ConfirmAction
      title={t('Remove question')}
      confirm={t('Remove question')}
      action={remove}
      onDone={onDone}
      onClose={onClose}
    >
      <p class={styles.detail} dir="auto">
        {question}
      </p>
      <p>{t('What was said of its answers goes with it, for all administrators. This cannot be undone.')}</p>
    </ConfirmAction>
  );
}
