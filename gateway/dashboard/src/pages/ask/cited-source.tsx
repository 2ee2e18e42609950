import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { useEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Badge, GuestBadge, TierBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Markdown } from '../../components/markdown.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Day } from '../../components/time.tsx';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import { rpc } from '../../service/rpc.ts';
import { statusText } from '../decisions/status-badge.tsx';
import { sourcePath } from './answer-markdown.ts';
import styles from './ask-page.module.css';
import type { AnswerSource } from './kept-answers.ts';

const decoder = new TextDecoder();
const kindWords: Readonly<Record<string, string>> = { decision: t('decision'), project: t('project') };
/** Enough to find the best passage of every source of an answer. */
const maxPassages = 50;
/** Shorter words before a citation occur anywhere. */
const minQuoteCharacters = 20;

/**
 * What an answer cites, beside it, with the passage marked on which the answer rests. It takes the focus, and Escape closes
 * it.
 */
export function CitedSource({
  source,
  number,
  question,
  words,
  onClose,
}: {
  source: AnswerSource;
  number: number;
  /** The text that was asked. */
  question: string;
  /** The words of the answer that cite it. */
  words: string;
  onClose: () => void;
}) {
  const { value, problem, isLoading, reload } = useRequest(
    (signal) => readSource(source, question, words, signal),
    [source.rowKey, source.kind, question, words],
  );
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), [source, number]);
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && document.querySelector('dialog[open]') === null) onClose();
    };
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  });
  return (
    <aside class={styles.source} aria-label={t('Source {number}: {title}', { number, title: source.title })}>
      <header class={styles.sourceHeader}>
        <div>
          <p class={styles.sourcePath}>{source.rowKey}</p>
          <h2 ref={heading} tabIndex={-1} dir="auto">
            {source.title}
          </h2>
        </div>
        <Button kind="quiet" icon="close" aria-label={t('Close the source')} onClick={onClose} />
      </header>
      <div class={styles.sourceFacts}>
        <TierBadge tier={source.tier === Tier.EXTERNAL ? 'external' : 'team'} />
        <GuestBadge byGuest={source.byGuest} />
        {source.kind !== 'item' && <Badge tone="accent">{kindWords[source.kind] ?? source.kind}</Badge>}
        {source.status !== '' && <Badge>{statusText(source.status)}</Badge>}
        {source.date !== '' && <Day value={source.date} />}
        <Link href={sourcePath(source)}>{t('Open it whole')}</Link>
      </div>
      <ProblemNotice problem={problem} onRetry={reload} />
      {isLoading && <Skeleton lines={8} />}
      {value !== undefined && (
        <div class={styles.sourceText}>
          <Markdown text={value.text} highlight={value.passage} />
        </div>
      )}
    </aside>
  );
}

interface ReadSource {
  text: string;
  passage: string;
}

/** Finds the sentence that the service names as its own, else the words that cite it, else the best passage. */
async function readSource(
  source: AnswerSource,
  question: string,
  words: string,
  signal: AbortSignal,
): Promise<ReadSource> {
  const text = await readText(source, signal);
  if (source.quote !== '' && text.includes(source.quote)) return { text, passage: source.quote };
  const cited = words.replace(/^[\s>*-]+|(?<![\s.:])[\s.:]+$/g, '');
  if (cited.length >= minQuoteCharacters && text.includes(cited)) return { text, passage: cited };
  const passages = await rpc.query.search({ question, limit: maxPassages }, { signal }).then(
    (answer) => answer.passages,
    // The text is of use without its passage.
    () => [],
  );
  return { text, passage: passages.find(({ rowKey }) => rowKey === source.rowKey)?.text ?? '' };
}

async function readText({ rowKey, kind }: AnswerSource, signal: AbortSignal): Promise<string> {
  if (kind !== 'item' && rowKey.startsWith('decisions/')) {
    const decisionId = rowKey.slice('decisions/'.length);
    const { decisionJson } = await rpc.content.getShownDecision({ decisionId }, { signal });
    return JSON.parse(decoder.decode(decisionJson)).body ?? '';
  }
  if (kind === 'project') return '';
  const { itemJson } = await rpc.content.getItem({ rowKey }, { signal });
  return JSON.parse(decoder.decode(itemJson)).content;
}
