import { useState } from 'preact/hooks';
import { useRequest } from '../data/use-request.ts';
import { t } from '../language/language.ts';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import styles from './merge-edits.module.css';
import { Notice, ProblemNotice } from './problem-notice.tsx';
import {
  type Choice,
  mergedText,
  type Segment,
  segmentsOf,
  suggestedChoice,
  withLineEnd,
} from './segments.ts';
import { Skeleton } from './skeleton.tsx';
import { When } from './time.tsx';

/** Lines of an unchanged part that are shown at its beginning and its end. */
const contextLines = 2;
/** Two long texts with little in common are compared as a whole. */
const compareTimeoutMs = 1_500;

/** What differs besides the text, in words, and what to keep of it unless somebody chooses otherwise. */
export interface DifferingFact {
  name: string;
  label: string;
  theirs: string;
  mine: string;
  suggested: 'theirs' | 'mine';
}

/** What somebody chose: the text, and whose facts, by their names. */
export interface Merged {
  text: string;
  facts: ReadonlyMap<string, 'theirs' | 'mine'>;
}

/** Shows two edits of one text beside each other and lets their reader choose, difference by difference, what stays. */
export function MergeEdits({
  author,
  at,
  facts,
  texts: { base, theirs, mine },
  onMerged,
}: {
  /** Who saved the other edit, and when. */
  author: string;
  at: string;
  facts: readonly DifferingFact[];
  /** What both edits were made from, what is stored now, and what is not stored yet. */
  texts: { base: string; theirs: string; mine: string };
  onMerged: (merged: Merged) => void;
}) {
  const { value: segments, problem, reload } = useRequest(() => compare(theirs, mine), [theirs, mine]);
  const [fieldChoices, setFieldChoices] = useState<Merged['facts']>(
    () => new Map(facts.map(({ name, suggested }) => [name, suggested])),
  );
  const [textChoices, setTextChoices] = useState<ReadonlyMap<number, Choice>>(new Map());
  if (segments === undefined) {
    return problem === undefined ? (
      <Skeleton lines={8} />
    ) : (
      <ProblemNotice problem={problem} onRetry={reload} />
    );
  }
  const choiceAt = (index: number, segment: Segment): Choice =>
    segment.kind === 'same' ? 'both' : (textChoices.get(index) ?? suggestedChoice(segment, base));
  const chooseAll = (choice: 'theirs' | 'mine') => {
    setFieldChoices(new Map([...fieldChoices.keys()].map((field) => [field, choice])));
    setTextChoices(new Map(segments.map((_, index) => [index, choice])));
  };
  const merge = () => {
    const chosen = segments.flatMap((segment, index) =>
      segment.kind === 'same' ? [] : [choiceAt(index, segment)],
    );
    const taken = chosen.every((choice) => choice === 'mine') ? mine : undefined;
    onMerged({ text: taken ?? withEndOf(mergedText(segments, chosen), [theirs, mine]), facts: fieldChoices });
  };
  const names = { theirs: author, mine: t('You') };
  return (
    <div class={styles.merge}>
      <div role="alert">
        <Notice tone="warn">
          <p>
            {t(
              '{author} saved another version {when}, while you were writing. Nothing is lost: choose what stays of each difference, then look at the result and save it.',
              { author: <strong>{author}</strong>, when: <When at={at} /> },
            )}
          </p>
        </Notice>
      </div>
      <div class={styles.actions}>
        <Button onClick={() => chooseAll('theirs')}>{t('Take all of theirs')}</Button>
        <Button onClick={() => chooseAll('mine')}>{t('Keep all of mine')}</Button>
      </div>
      {facts.length > 0 && (
        <Card title={t('Details')}>
          <div class={styles.body}>
            {facts.map(({ name, label, theirs: other, mine: own }) => (
              <Difference
                key={name}
                label={label}
                names={names}
                theirs={other}
                mine={own}
                choice={fieldChoices.get(name) ?? 'mine'}
                onChoose={(next) =>
                  setFieldChoices(new Map([...fieldChoices, [name, next === 'mine' ? 'mine' : 'theirs']]))
                }
              />
            ))}
          </div>
        </Card>
      )}
      {segments.some(({ kind }) => kind === 'different') && (
        <Card title={t('Text')}>
          <div class={styles.body}>
            {segments.map((segment, index) =>
              segment.kind === 'same' ? (
                <Same key={index} text={segment.text} />
              ) : (
                <Difference
                  key={index}
                  label={t('Here the texts differ')}
                  isText
                  names={names}
                  theirs={segment.theirs}
                  mine={segment.mine}
                  choice={choiceAt(index, segment)}
                  onChoose={(next) => setTextChoices(new Map([...textChoices, [index, next]]))}
                />
              ),
            )}
          </div>
        </Card>
      )}
      <div class={`${styles.actions} ${styles.end}`}>
        <Button kind="primary" onClick={merge}>
          {t('Go on with this')}
        </Button>
      </div>
    </div>
  );
}

function Difference({
  label,
  names,
  theirs,
  mine,
  choice,
  isText = false,
  onChoose,
}: {
  label: string;
  names: { theirs: string; mine: string };
  theirs: string;
  mine: string;
  choice: Choice;
  /** Part of the text, of which both can stay. */
  isText?: boolean;
  onChoose: (choice: Choice) => void;
}) {
  const texts = { theirs, mine };
  return (
    <fieldset class={styles.difference}>
      <legend>{label}</legend>
      <div class={styles.columns}>
        {(['theirs', 'mine'] as const).map((side) => (
          <label key={side} class={styles.side}>
            <span class={styles.who}>
              <input type="radio" checked={choice === side} onChange={() => onChoose(side)} />
              {names[side]}
            </span>
            <span class={`${styles.words} ${isText ? styles.text : ''}`}>
              {texts[side] === '' ? <span class={styles.none}>{t('nothing')}</span> : texts[side]}
            </span>
          </label>
        ))}
      </div>
      {isText && theirs !== '' && mine !== '' && (
        <label class={styles.both}>
          <input type="radio" checked={choice === 'both'} onChange={() => onChoose('both')} />
          {t('Keep both, one below the other')}
        </label>
      )}
    </fieldset>
  );
}

/** A part that is the same in both, of which only its ends are shown if it is long. */
function Same({ text }: { text: string }) {
  const lines = text.trimEnd().split('\n');
  const isLong = lines.length > 2 * contextLines + 1;
  const shown = isLong ? [...lines.slice(0, contextLines), '…', ...lines.slice(-contextLines)] : lines;
  return <p class={`${styles.same} ${styles.words} ${styles.text}`}>{shown.join('\n')}</p>;
}

/** Takes back the line end at the end of a text that only comparing it has added. */
function withEndOf(merged: string, sides: readonly string[]): string {
  return sides.some((side) => side.endsWith('\n')) ? merged : merged.replace(/\n$/, '');
}

async function compare(theirs: string, mine: string): Promise<Segment[]> {
  const { diffLines } = await import('diff');
  const [left, right] = [withLineEnd(theirs), withLineEnd(mine)];
  const changes = diffLines(left, right, { timeout: compareTimeoutMs });
  return changes === undefined ? [{ kind: 'different', theirs: left, mine: right }] : segmentsOf(changes);
}
