import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import type { Source } from '@teammemory/proto/query/v1/query_pb.ts';
import { Link } from 'wouter-preact';
import { Badge, GuestBadge, TierBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Markdown } from '../../components/markdown.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Day } from '../../components/time.tsx';
import { useRequest } from '../../data/use-request.ts';
import { decisionPath, itemPath, projectPath } from '../../service/paths.ts';
import { rpc } from '../../service/rpc.ts';
import styles from './ask-page.module.css';

const decoder = new TextDecoder();
/** Enough to find the best passage of every source of an answer. */
const maxPassages = 50;
/** Shorter words before a citation occur anywhere. */
const minQuoteCharacters = 20;

/** The page that shows a source whole. */
function pathOf({ rowKey, kind }: Source): string {
  if (kind !== 'item' && rowKey.startsWith('decisions/'))
    return decisionPath(rowKey.slice('decisions/'.length));
  if (kind !== 'item' && rowKey.startsWith('projects/')) return projectPath(rowKey.slice('projects/'.length));
  return itemPath(rowKey);
}

/** What an answer cites, beside it, with the passage marked on which the answer rests. */
export function CitedSource({
  source,
  number,
  question,
  words,
  onClose,
}: {
  source: Source;
  number: number;
  question: string;
  /** The words of the answer that cite it. */
  words: string;
  onClose: () => void;
}) {
  const { value, problem, isLoading, reload } = useRequest(
    (signal) => readSource(source, question, words, signal),
    [source.rowKey, source.kind, question, words],
  );
  return (
    <aside class={styles.source} aria-label={`Source ${number}: ${source.title}`}>
      <header class={styles.sourceHeader}>
        <div>
          <p class={styles.sourcePath}>{source.rowKey}</p>
          <h2>{source.title}</h2>
        </div>
        <Button kind="quiet" icon="close" aria-label="Close the source" onClick={onClose} />
      </header>
      <div class={styles.sourceFacts}>
        <TierBadge tier={source.tier === Tier.EXTERNAL ? 'external' : 'team'} />
        <GuestBadge byGuest={source.byGuest} />
        {source.kind !== 'item' && <Badge tone="accent">{source.kind}</Badge>}
        {source.status !== '' && <Badge>{source.status}</Badge>}
        {source.date !== '' && <Day value={source.date} />}
        <Link href={pathOf(source)}>Open it whole</Link>
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

async function readSource(
  source: Source,
  question: string,
  words: string,
  signal: AbortSignal,
): Promise<ReadSource> {
  const [text, passages] = await Promise.all([
    readText(source, signal),
    rpc.query.search({ question, limit: maxPassages }, { signal }).then(
      (answer) => answer.passages,
      // The text is of use without its passage.
      () => [],
    ),
  ]);
  const quote = words.replace(/^[\s>*-]+|(?<![\s.:])[\s.:]+$/g, '');
  if (quote.length >= minQuoteCharacters && text.includes(quote)) return { text, passage: quote };
  return { text, passage: passages.find(({ rowKey }) => rowKey === source.rowKey)?.text ?? '' };
}

async function readText({ rowKey, kind }: Source, signal: AbortSignal): Promise<string> {
  if (kind !== 'item' && rowKey.startsWith('decisions/')) {
    const decisionId = rowKey.slice('decisions/'.length);
    const { decisionJson } = await rpc.content.getShownDecision({ decisionId }, { signal });
    return JSON.parse(decoder.decode(decisionJson)).body ?? '';
  }
  if (kind === 'project') return '';
  const { itemJson } = await rpc.content.getItem({ rowKey }, { signal });
  return JSON.parse(decoder.decode(itemJson)).content;
}
