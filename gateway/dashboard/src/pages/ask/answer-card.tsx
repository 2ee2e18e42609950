import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { useState } from 'preact/hooks';
import { Badge, GuestBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Field } from '../../components/field.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { When } from '../../components/time.tsx';
import { plural, t } from '../../language/language.ts';
import { answerMarkdown } from './answer-markdown.ts';
import { AnswerText, completeSentences } from './answer-text.tsx';
import styles from './ask-page.module.css';
import { type AnswerSource, type KeptAnswer, maxQuestionCharacters, questionPath } from './kept-answers.ts';
import { RateAnswer } from './rate-answer.tsx';
import type { Answer } from './use-answer.ts';

/** What a reader wants to see of an answer. */
export interface Citation {
  /** Of the source, from 1. */
  number: number;
  /** The words of the answer that cite it; empty if the source was chosen from the list. */
  words: string;
  /** What was pressed. */
  from: HTMLElement;
}

/** An answer as far as it has come, its sources, and what can be done with it. */
export function AnswerCard({
  answer,
  cited,
  onCite,
  onAsk,
  onFollowUp,
}: {
  answer: Answer;
  /** The source that is shown. */
  cited: number | undefined;
  onCite: (citation: Citation) => void;
  /** Asks the same question again. */
  onAsk: () => void;
  onFollowUp: (question: string) => void;
}) {
  const { question, after, text, sources, status, problem } = answer;
  return (
    <section class={styles.answer} aria-label={t('Answer')} aria-busy={status === 'streaming'}>
      <div>
        <h2 class={styles.question} dir="auto">
          {question}
        </h2>
        {after !== '' && <p class={styles.after}>{t('Asked together with: {after}', { after })}</p>}
      </div>
      {text === '' && status === 'streaming' && (
        <p class={styles.searching}>{t('Searching what the team knows…')}</p>
      )}
      <AnswerText
        text={text}
        sourceCount={sources.length}
        onCite={(number, words, from) => onCite({ number, words, from })}
      />
      <p class="visually-hidden" aria-live="polite">
        {status === 'streaming'
          ? completeSentences(text)
          : `${completeSentences(`${text}\n`)} ${endWords(answer)}`}
      </p>
      {status === 'stopped' && <p class={styles.hint}>{t('You stopped this answer.')}</p>}
      {status === 'failed' && problem === undefined && (
        <p class={styles.hint}>{t('This answer is not complete.')}</p>
      )}
      <ProblemNotice problem={problem} onRetry={onAsk} />
      {sources.length > 0 && (
        <ol class={styles.sources} aria-label={t('Sources')}>
          {sources.map((source, index) => (
            <li key={index}>
              <SourceButton
                source={source}
                number={index + 1}
                isShown={cited === index + 1}
                onShow={(from) => onCite({ number: index + 1, words: '', from })}
              />
            </li>
          ))}
        </ol>
      )}
      {status !== 'streaming' && (
        <>
          <FollowUp key={`${after}\n${question}`} onAsk={onFollowUp} />
          <AnswerActions answer={{ ...answer, status }} onAsk={onAsk} />
          {status !== 'stopped' && (
            <RateAnswer key={`${after}\n${question}`} answer={answer} isAnswered={status === 'complete'} />
          )}
        </>
      )}
    </section>
  );
}

function endWords({ sources, status }: Answer): string {
  if (status !== 'complete') return t('The answer is not complete.');
  return plural(
    sources.length,
    'The answer is complete, with 1 source.',
    'The answer is complete, with {count} sources.',
  );
}

function FollowUp({ onAsk }: { onAsk: (question: string) => void }) {
  const [words, setWords] = useState('');
  return (
    <form
      class={styles.followUp}
      onSubmit={(event) => {
        event.preventDefault();
        onAsk(words);
      }}
    >
      <Field
        label={t('Follow-up question')}
        isLabelHidden
        placeholder={t('Follow up, such as: And in winter?')}
        maxLength={maxQuestionCharacters}
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      <Button type="submit" icon="send" disabled={words.trim() === ''}>
        {t('Follow up')}
      </Button>
    </form>
  );
}

function AnswerActions({ answer, onAsk }: { answer: KeptAnswer; onAsk: () => void }) {
  return (
    <div class={styles.answerActions}>
      <Button kind="quiet" icon="history" onClick={onAsk}>
        {t('Ask again')}
      </Button>
      <CopyButton text={answerMarkdown(answer, location.origin)} label={t('Copy as Markdown')} isQuiet />
      <CopyButton
        text={location.origin + questionPath(answer)}
        label={t('Copy a link to this question')}
        isQuiet
      />
      <span class={styles.hint}>{t('Asked {when}', { when: <When at={answer.at} /> })}</span>
    </div>
  );
}

function SourceButton({
  source,
  number,
  isShown,
  onShow,
}: {
  source: AnswerSource;
  number: number;
  isShown: boolean;
  onShow: (button: HTMLElement) => void;
}) {
  return (
    <button
      type="button"
      class={styles.sourceButton}
      aria-pressed={isShown}
      onClick={(event) => onShow(event.currentTarget)}
    >
      <span class={styles.sourceNumber}>{number}</span>
      <span class={styles.sourceNames}>
        <span class={styles.sourceTitle}>{source.title}</span>
        <span class={styles.sourcePath}>{source.rowKey}</span>
      </span>
      {source.tier === Tier.EXTERNAL && <Badge tone="guest">{t('Guests too')}</Badge>}
      <GuestBadge byGuest={source.byGuest} />
    </button>
  );
}
