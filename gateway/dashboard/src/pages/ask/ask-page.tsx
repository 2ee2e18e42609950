import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import type { Source } from '@teammemory/proto/query/v1/query_pb.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { Badge, GuestBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { TextArea } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { lazyPage } from '../../layout/lazy-page.tsx';
import { AnswerText, completeSentences } from './answer-text.tsx';
import styles from './ask-page.module.css';
import { CitedSource } from './cited-source.tsx';
import {
  earlierQuestions,
  forgetQuestions,
  keepQuestion,
  loadEarlierQuestions,
} from './earlier-questions.ts';
import { type Answer, useAnswer } from './use-answer.ts';

const Start = lazyPage(() => import('./start.tsx'));

/** The most that the service takes as a question. */
const maxQuestionCharacters = 4_000;

interface Citation {
  number: number;
  words: string;
}

/**
 * Asks the team's memory and shows the answer as it comes, each citation with the passage that it rests on. Without a
 * question it shows what the day starts with.
 */
export default function AskPage() {
  const [parameters, setParameters] = useSearchParams();
  // A shared link brings a question; it is asked by whoever opens the link, because an answer may cost something.
  const asked = parameters.get('q') ?? '';
  const [draft, setDraft] = useState(asked);
  const [citation, setCitation] = useState<Citation>();
  const { answer, ask, show, stop } = useAnswer();
  const input = useRef<HTMLFormElement>(null);
  useEffect(loadEarlierQuestions, []);
  // Whoever comes here types a question. The focus stays on what they have chosen meanwhile.
  useEffect(() => {
    if (document.activeElement?.matches('body, h1, nav *')) input.current?.querySelector('textarea')?.focus();
  }, []);
  // Back and forward lead to another question.
  useEffect(() => {
    if (asked === (answer?.question ?? '')) return;
    setDraft(asked);
    setCitation(undefined);
    show(asked);
  }, [asked]);

  function start(question: string): void {
    const trimmed = question.trim();
    if (trimmed === '') return;
    setDraft(trimmed);
    setCitation(undefined);
    ask(trimmed);
    setParameters({ q: trimmed });
    keepQuestion(trimmed);
  }

  const source = citation === undefined ? undefined : answer?.sources[citation.number - 1];
  return (
    <div class={`${styles.columns} ${source === undefined ? '' : styles.withSource}`}>
      <Page
        title="Ask"
        description="Answers come from what your team has written down, and say where."
        isNarrow
      >
        <form
          ref={input}
          class={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            start(draft);
          }}
        >
          <TextArea
            label="Your question"
            isLabelHidden
            rows={2}
            maxLength={maxQuestionCharacters}
            placeholder="What would you like to know?"
            value={draft}
            onInput={(event) => setDraft(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              start(draft);
            }}
          />
          <div class={styles.formActions}>
            <span class={styles.hint}>Enter asks, Shift and Enter begins a new line.</span>
            {/* With keys: one button that turned into the other would ask again with the click that stops. */}
            {answer?.status === 'streaming' ? (
              <Button key="stop" icon="stop" onClick={stop}>
                Stop
              </Button>
            ) : (
              <Button key="ask" type="submit" kind="primary" icon="send" disabled={draft.trim() === ''}>
                Ask
              </Button>
            )}
          </div>
        </form>
        {answer !== undefined && (
          <AnswerCard
            answer={answer}
            cited={citation?.number}
            onCite={setCitation}
            onRetry={() => start(answer.question)}
          />
        )}
        {asked === '' && <Start />}
        <EarlierQuestions current={answer?.question} onAsk={start} />
      </Page>
      {source !== undefined && citation !== undefined && answer !== undefined && (
        <CitedSource
          source={source}
          number={citation.number}
          words={source.quote === '' ? citation.words : source.quote}
          question={answer.question}
          onClose={() => setCitation(undefined)}
        />
      )}
    </div>
  );
}

function AnswerCard({
  answer,
  cited,
  onCite,
  onRetry,
}: {
  answer: Answer;
  /** The source that is shown. */
  cited: number | undefined;
  onCite: (citation: Citation) => void;
  onRetry: () => void;
}) {
  const { question, text, sources, status, problem } = answer;
  const link = `${location.origin}/?q=${encodeURIComponent(question)}`;
  return (
    <section class={styles.answer} aria-label="Answer" aria-busy={status === 'streaming'}>
      <h2 class={styles.question}>{question}</h2>
      {text === '' && status === 'streaming' && (
        <p class={styles.searching}>Searching what the team knows…</p>
      )}
      <AnswerText
        text={text}
        sourceCount={sources.length}
        onCite={(number, words) => onCite({ number, words })}
      />
      <p class="visually-hidden" aria-live="polite">
        {status === 'streaming'
          ? completeSentences(text)
          : `${completeSentences(`${text}\n`)} ${endWords(answer)}`}
      </p>
      {status === 'stopped' && <p class={styles.hint}>You stopped this answer.</p>}
      <ProblemNotice problem={problem} onRetry={onRetry} />
      {sources.length > 0 && (
        <ol class={styles.sources} aria-label="Sources">
          {sources.map((source, index) => (
            <li key={index}>
              <SourceButton
                source={source}
                number={index + 1}
                isShown={cited === index + 1}
                onShow={() => onCite({ number: index + 1, words: '' })}
              />
            </li>
          ))}
        </ol>
      )}
      {status !== 'streaming' && (
        <div class={styles.answerActions}>
          <CopyButton text={link} label="Copy a link to this question" isQuiet />
        </div>
      )}
    </section>
  );
}

function endWords({ sources, status }: Answer): string {
  if (status !== 'complete') return 'The answer is not complete.';
  return `The answer is complete, with ${sources.length} ${sources.length === 1 ? 'source' : 'sources'}.`;
}

function SourceButton({
  source,
  number,
  isShown,
  onShow,
}: {
  source: Source;
  number: number;
  isShown: boolean;
  onShow: () => void;
}) {
  return (
    <button type="button" class={styles.sourceButton} aria-pressed={isShown} onClick={onShow}>
      <span class={styles.sourceNumber}>{number}</span>
      <span class={styles.sourceNames}>
        <span class={styles.sourceTitle}>{source.title}</span>
        <span class={styles.sourcePath}>{source.rowKey}</span>
      </span>
      {source.tier === Tier.EXTERNAL && <Badge tone="guest">Guests too</Badge>}
      <GuestBadge byGuest={source.byGuest} />
    </button>
  );
}

function EarlierQuestions({
  current,
  onAsk,
}: {
  current: string | undefined;
  onAsk: (question: string) => void;
}) {
  const others = earlierQuestions.value.filter((question) => question !== current);
  if (others.length === 0) return null;
  return (
    <section class={styles.earlier} aria-labelledby="earlier">
      <header>
        <h2 id="earlier">Earlier questions</h2>
        <Button kind="quiet" onClick={forgetQuestions}>
          Forget them
        </Button>
      </header>
      <p class={styles.hint}>They are kept in this browser only.</p>
      <ul>
        {others.map((question) => (
          <li key={question}>
            <button type="button" class={styles.earlierQuestion} onClick={() => onAsk(question)}>
              <Icon name="history" />
              <span>{question}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
