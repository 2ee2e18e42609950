import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Icon } from '../../components/icon.tsx';
import { When } from '../../components/time.tsx';
import { t } from '../../language/language.ts';
import { forgetAnswers, isSameQuestion, keptAnswers, type Question, questionPath } from './kept-answers.ts';
import styles from './start.module.css';

/** Questions that are shown at first. */
const shownAtFirst = 5;

/** What this browser's reader has asked lately; each leads to its answer, without asking again. */
export function KeptQuestions({ current }: { current?: Question | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const others = keptAnswers.value.filter(
    (answer) => current === undefined || !isSameQuestion(answer, current),
  );
  if (others.length === 0) return null;
  return (
    <Card
      title={t('Questions you asked')}
      actions={
        <Button kind="quiet" onClick={forgetAnswers}>
          {t('Forget them')}
        </Button>
      }
    >
      <p class={styles.detail}>
        {t(
          'With their answers they are kept in this browser only: the last 30, for 30 days, until you sign out.',
        )}
      </p>
      <ul>
        {others.slice(0, isOpen ? undefined : shownAtFirst).map((answer) => (
          <li key={`${answer.after}\n${answer.question}`} class={styles.row}>
            <span class={styles.icon}>
              <Icon name="history" />
            </span>
            <span class={styles.words}>
              <Link href={questionPath(answer)} dir="auto">
                {answer.question}
              </Link>
              {answer.after !== '' && (
                <span class={styles.detail}>
                  {t('after “{question}”', { question: answer.after.split('\n').at(-1) ?? '' })}
                </span>
              )}
            </span>
            <span class={styles.facts}>
              <When at={answer.at} />
            </span>
          </li>
        ))}
      </ul>
      {!isOpen && others.length > shownAtFirst && (
        <Button kind="quiet" onClick={() => setOpen(true)}>
          {t('Show all {count}', { count: others.length })}
        </Button>
      )}
    </Card>
  );
}
