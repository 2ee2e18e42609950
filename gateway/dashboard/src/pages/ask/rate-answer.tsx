import { RatingVerdict } from '@teammemory/proto/query/v1/query_pb.ts';
import { useRef, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { FormDialog } from '../../components/dialog.tsx';
import { TextArea } from '../../components/field.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { useAction } from '../../data/use-action.ts';
import { t } from '../../language/language.ts';
import { rpc } from '../../service/rpc.ts';
import styles from './ask-page.module.css';
import { keepRating, keptRating, type Question, textOfQuestion } from './kept-answers.ts';

/** The most that the service takes as a note. */
const maxNoteCharacters = 500;

const labels: Readonly<Record<number, string>> = {
  [RatingVerdict.HELPED]: t('It helped'),
  [RatingVerdict.NOT_HELPED]: t('It did not help'),
  [RatingVerdict.NO_ANSWER]: t('Tell administrators'),
};

const sentWords: Readonly<Record<number, string>> = {
  [RatingVerdict.HELPED]: t('You told the administrators that this answer helped.'),
  [RatingVerdict.NOT_HELPED]: t('You told the administrators that this answer did not help.'),
  [RatingVerdict.NO_ANSWER]: t('You told the administrators that this question got no answer.'),
};

/** Tells the administrators of the team whether an answer helped, or that there was none. It can be taken back. */
export function RateAnswer({ answer, isAnswered }: { answer: Question; isAnswered: boolean }) {
  const question = textOfQuestion(answer);
  const [opened, setOpened] = useState<RatingVerdict>();
  const [sent, setSent] = useState(() => keptRating(answer));
  const row = useRef<HTMLDivElement>(null);
  const tell = (verdict: RatingVerdict | undefined) => {
    setSent(verdict);
    keepRating(answer, verdict);
  };
  const takeBack = useAction(async () => {
    await rpc.query.rateAnswer({ question });
    // The button that has the focus goes away.
    row.current?.querySelector('button')?.focus();
    tell(undefined);
  });
  const verdicts = isAnswered ? [RatingVerdict.HELPED, RatingVerdict.NOT_HELPED] : [RatingVerdict.NO_ANSWER];
  return (
    <div ref={row} class={styles.rating}>
      <span class={styles.hint} role="status">
        {sent === undefined
          ? isAnswered
            ? t('Did this answer help? Administrators see your question only if you tell them.')
            : t('Administrators see your question only if you tell them.')
          : sentWords[sent]}
      </span>
      {verdicts.map((verdict) => (
        <Button key={verdict} aria-pressed={sent === verdict} onClick={() => setOpened(verdict)}>
          {labels[verdict]}
        </Button>
      ))}
      {sent !== undefined && (
        <Button kind="quiet" isBusy={takeBack.isRunning} onClick={() => takeBack.run()}>
          {t('Take it back')}
        </Button>
      )}
      <ProblemNotice problem={takeBack.problem} />
      {opened !== undefined && (
        <TellAdministrators
          question={question}
          verdict={opened}
          onClose={() => setOpened(undefined)}
          onDone={() => {
            tell(opened);
            setOpened(undefined);
          }}
        />
      )}
    </div>
  );
}

const titles: Readonly<Record<number, string>> = {
  [RatingVerdict.HELPED]: t('This answer helped'),
  [RatingVerdict.NOT_HELPED]: t('This answer did not help'),
  [RatingVerdict.NO_ANSWER]: t('This question got no answer'),
};

function TellAdministrators({
  question,
  verdict,
  onClose,
  onDone,
}: {
  question: string;
  verdict: RatingVerdict;
  onClose: () => void;
  onDone: () => void;
}) {
  const [note, setNote] = useState('');
  const send = useAction(() => rpc.query.rateAnswer({ question, verdict, note: note.trim() }));
  return (
    <FormDialog
      title={titles[verdict] ?? ''}
      submit={t('Send to administrators')}
      action={send}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{t('Administrators of your team will see your name, this question, and what you write here:')}</p>
      <p class={styles.after} dir="auto">
        {question}
      </p>
      <TextArea
        label={
          verdict === RatingVerdict.HELPED
            ? t('In your words (optional)')
            : t('What did you look for? (optional)')
        }
        rows={3}
        maxLength={maxNoteCharacters}
        value={note}
        onInput={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
