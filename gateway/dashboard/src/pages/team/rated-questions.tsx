import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { type Rating, RatingVerdict } from '@teammemory/proto/query/v1/query_pb.ts';
import { useState } from 'preact/hooks';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmAction } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Table } from '../../components/table.tsx';
import { When } from '../../components/time.tsx';
import { useAction } from '../../data/use-action.ts';
import { useRequest } from '../../data/use-request.ts';
import { rpc } from '../../service/rpc.ts';
import { Choice } from './choice.tsx';
import { groupRatings, type RatedQuestion } from './group-ratings.ts';
import { loadRatings } from './team-data.ts';
import styles from './team-page.module.css';

/** The most ratings that one call removes. */
const maxRemovedRatings = 100;

/** The rated questions: those without a helpful answer, and those that were answered. */
export function RatedQuestions() {
  const { value: ratings, problem, isLoading, reload } = useRequest(loadRatings, []);
  const [showsHelpful, setShowsHelpful] = useState(false);
  const [removed, setRemoved] = useState<RatedQuestion>();
  if (ratings === undefined) {
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
  if (ratings.length === 0) {
    return (
      <EmptyState icon="ask" title="Nobody has rated an answer yet" action={again}>
        Whoever asks a question can tell you whether the answer helped. Questions that nobody tells of are not
        kept.
      </EmptyState>
    );
  }
  const questions = groupRatings(ratings);
  const helpful = questions.filter((each) => each.ratings.every(isHelpful));
  const unhelpful = questions.filter((each) => !each.ratings.every(isHelpful));
  return (
    <Card
      title={showsHelpful ? 'What people asked and found' : 'What people asked and did not find'}
      isFlush
      actions={again}
    >
      <ProblemNotice problem={problem} onRetry={reload} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would look like a form. */}
      <div class={styles.codes} role="group" aria-label="Which questions">
        <Choice
          label="Not found"
          count={unhelpful.length}
          isChosen={!showsHelpful}
          onChoose={() => setShowsHelpful(false)}
        />
        <Choice
          label="Helped"
          count={helpful.length}
          isChosen={showsHelpful}
          onChoose={() => setShowsHelpful(true)}
        />
      </div>
      <Table
        caption="Questions that were rated, the newest first"
        rows={showsHelpful ? helpful : unhelpful}
        keyOf={({ ratings: [newest] }) => newest?.ratingId ?? ''}
        columns={[
          { heading: 'Question', cell: (row) => <Asked row={row} /> },
          { heading: 'Said', cell: ({ ratings: each }) => <Said ratings={each} /> },
          {
            heading: 'Last',
            cell: ({ ratings: [newest] }) => newest?.ratedAt && <When at={timestampDate(newest.ratedAt)} />,
          },
          {
            heading: 'Actions',
            isHeadingHidden: true,
            cell: (row) => (
              <div class={styles.acts}>
                <Button kind="quiet" onClick={() => setRemoved(row)}>
                  Remove<span class="visually-hidden"> {row.question}</span>
                </Button>
              </div>
            ),
          },
        ]}
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
    </Card>
  );
}

function isHelpful({ verdict }: Rating): boolean {
  return verdict === RatingVerdict.HELPED;
}

function Asked({ row: { question, ratings } }: { row: RatedQuestion }) {
  return (
    <div class={styles.detail}>
      <a href={`/?${new URLSearchParams({ q: question })}`} dir="auto">
        {question}
      </a>
      {ratings.length > 1 && <p class={styles.muted}>rated {ratings.length} times</p>}
    </div>
  );
}

const verdictWords: Readonly<Record<number, string>> = {
  [RatingVerdict.HELPED]: 'it helped',
  [RatingVerdict.NOT_HELPED]: 'it did not help',
  [RatingVerdict.NO_ANSWER]: 'no answer came',
};

function Said({ ratings }: { ratings: readonly Rating[] }) {
  return (
    <ul class={styles.detail}>
      {ratings.map(({ ratingId, memberHandle, tier, verdict, note }) => (
        <li key={ratingId}>
          {tier === Tier.EXTERNAL && <Badge tone="guest">Guest</Badge>} {memberHandle}:{' '}
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
      title="Remove question"
      confirm="Remove question"
      action={remove}
      onDone={onDone}
      onClose={onClose}
    >
      <p class={styles.detail} dir="auto">
        {question}
      </p>
      <p>What was said of its answers goes with it, for all administrators. This cannot be undone.</p>
    </ConfirmAction>
  );
}
