import { useEffect, useRef, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { Button } from '../../components/button.tsx';
import { TextArea } from '../../components/field.tsx';
import { Page } from '../../components/page.tsx';
import { t } from '../../language/language.ts';
import { lazyPage } from '../../layout/lazy-page.tsx';
import { AnswerCard, type Citation } from './answer-card.tsx';
import styles from './ask-page.module.css';
import { CitedSource } from './cited-source.tsx';
import {
  followUp,
  isSameQuestion,
  loadKeptAnswers,
  maxQuestionCharacters,
  textOfQuestion,
} from './kept-answers.ts';
import { KeptQuestions } from './kept-questions.tsx';
import { useAnswer } from './use-answer.ts';

const Start = lazyPage(() => import('./start.tsx'));

/**
 * Asks the team's memory and shows the answer as it comes, each citation with the passage that it rests on. Without a
 * question it shows what the day starts with.
 */
export default function AskPage() {
  const [parameters, setParameters] = useSearchParams();
  // A shared link brings a question; it is asked by whoever opens the link, because an answer may cost something.
  const asked = { question: parameters.get('q') ?? '', after: parameters.get('after') ?? '' };
  const [draft, setDraft] = useState(asked.question);
  const [citation, setCitation] = useState<Citation>();
  const { answer, ask, show, stop } = useAnswer();
  const form = useRef<HTMLFormElement>(null);
  useEffect(loadKeptAnswers, []);
  // Whoever comes here types a question. The focus stays on what they have chosen meanwhile.
  useEffect(() => {
    if (document.activeElement?.matches('body, h1, nav *')) form.current?.querySelector('textarea')?.focus();
  }, []);
  // Back, forward and a reload lead to another question.
  useEffect(() => {
    if (isSameQuestion(asked, answer ?? { question: '', after: '' })) return;
    setDraft(asked.question);
    setCitation(undefined);
    show(asked);
  }, [asked.question, asked.after]);
  // A source that lies over the end of the page must not lie over what cites it.
  useEffect(() => citation?.from.scrollIntoView({ block: 'nearest' }), [citation]);

  /** Asks a question. Another one than that of the address has an entry of its own in the history of the browser. */
  function start(words: string, after: string): void {
    const question = words.trim();
    if (question === '') return;
    setDraft(question);
    setCitation(undefined);
    ask({ question, after });
    const isSame = isSameQuestion(asked, { question, after });
    setParameters(after === '' ? { q: question } : { q: question, after }, { replace: isSame });
  }

  function closeSource(): void {
    if (citation?.from.isConnected) citation.from.focus({ preventScroll: true });
    setCitation(undefined);
  }

  // The question of the address may follow others; another one that is typed begins anew.
  const after = draft.trim() === asked.question ? asked.after : '';
  const source = citation === undefined ? undefined : answer?.sources[citation.number - 1];
  return (
    <div class={`${styles.columns} ${source === undefined ? '' : styles.withSource}`}>
      <Page
        title={t('Ask')}
        description={t('Answers come from what your team has written down, and say where.')}
        isNarrow
      >
        <form
          ref={form}
          class={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            start(draft, after);
          }}
        >
          <TextArea
            label={t('Your question')}
            isLabelHidden
            rows={2}
            maxLength={maxQuestionCharacters}
            placeholder={t('What would you like to know?')}
            value={draft}
            onInput={(event) => setDraft(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              start(draft, after);
            }}
          />
          {after !== '' && answer === undefined && (
            <p class={styles.after}>{t('It is asked together with: {after}', { after })}</p>
          )}
          <div class={styles.formActions}>
            <span class={styles.hint}>{t('Enter asks, Shift and Enter begins a new line.')}</span>
            {/* With keys: one button that turned into the other would ask again with the click that stops. */}
            {answer?.status === 'streaming' ? (
              <Button key="stop" icon="stop" onClick={stop}>
                {t('Stop')}
              </Button>
            ) : (
              <Button key="ask" type="submit" kind="primary" icon="send" disabled={draft.trim() === ''}>
                {t('Ask')}
              </Button>
            )}
          </div>
        </form>
        {answer !== undefined && (
          <AnswerCard
            answer={answer}
            cited={citation?.number}
            onCite={setCitation}
            onAsk={() => start(answer.question, answer.after)}
            onFollowUp={(words) => start(words, followUp(answer, words.trim()).after)}
          />
        )}
        {asked.question === '' ? <Start /> : <KeptQuestions current={answer} />}
      </Page>
      {source !== undefined && citation !== undefined && answer !== undefined && (
        <CitedSource
          source={source}
          number={citation.number}
          words={citation.words}
          question={textOfQuestion(answer)}
          onClose={closeSource}
        />
      )}
    </div>
  );
}
