import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Notice, ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { When } from '../../components/time.tsx';
import { useRequest } from '../../data/use-request.ts';
import { type Decision, type DecisionFields, fieldsOf } from './decision.ts';
import {
  type Choice,
  differingFields,
  mergedText,
  type Segment,
  segmentsOf,
  suggestedChoice,
  withLineEnd,
} from './merge.ts';
import styles from './merge-edits.module.css';
import { statusWords } from './status-badge.tsx';

/** Lines of an unchanged part that are shown at its beginning and its end. */
const contextLines = 2;
/** Two long texts with little in common are compared as a whole. */
const compareTimeoutMs = 1_500;

const fieldNames = {
  title: 'Title',
  status: 'Status',
  project: 'Project',
  decided_on: 'Decided on',
  audience: 'Who will see it',
};

/** Shows two edits of one decision beside each other and lets their reader choose, difference by difference, what stays. */
export function MergeEdits({
  base,
  theirs,
  mine,
  onMerged,
}: {
  /** What both edits were made from. */
  base: Decision;
  /** What is stored now. */
  theirs: Decision;
  mine: DecisionFields;
  onMerged: (merged: DecisionFields) => void;
}) {
  const {
    value: segments,
    problem,
    reload,
  } = useRequest(() => compare(theirs.body, mine.body), [theirs, mine]);
  const [fieldChoices, setFieldChoices] = useState(() => differingFields(base, theirs, mine));
  const [textChoices, setTextChoices] = useState<ReadonlyMap<number, Choice>>(new Map());
  if (segments === undefined) {
    return problem === undefined ? (
      <Skeleton lines={8} />
    ) : (
      <ProblemNotice problem={problem} onRetry={reload} />
    );
  }
  const choiceAt = (index: number, segment: Segment): Choice =>
    segment.kind === 'same' ? 'both' : (textChoices.get(index) ?? suggestedChoice(segment, base.body));
  const chooseAll = (choice: 'theirs' | 'mine') => {
    setFieldChoices(new Map([...fieldChoices.keys()].map((field) => [field, choice])));
    setTextChoices(new Map(segments.map((_, index) => [index, choice])));
  };
  const merge = () => {
    const chosen = segments.flatMap((segment, index) =>
      segment.kind === 'same' ? [] : [choiceAt(index, segment)],
    );
    const isAsMine = chosen.every((choice) => choice === 'mine');
    const body = isAsMine ? mine.body : mergedText(segments, chosen);
    const merged: Record<string, unknown> = { ...fieldsOf(theirs), body };
    for (const [field, choice] of fieldChoices)
      merged[field] = choice === 'mine' ? mine[field] : theirs[field];
    onMerged(merged as unknown as DecisionFields);
  };
  const names = { theirs: theirs.updated_by, mine: 'You' };
  return (
    <div class={styles.merge}>
      <div role="alert">
        <Notice tone="warn">
          <p>
            <strong>{theirs.updated_by}</strong> saved another version <When at={theirs.updated_at} />, while
            you were writing. Nothing is lost: choose what stays of each difference, then look at the result
            and save it.
          </p>
        </Notice>
      </div>
      <div class={styles.actions}>
        <Button onClick={() => chooseAll('theirs')}>Take all of theirs</Button>
        <Button onClick={() => chooseAll('mine')}>Keep all of mine</Button>
      </div>
      {fieldChoices.size > 0 && (
        <Card title="Details">
          <div class={styles.body}>
            {[...fieldChoices].map(([field, choice]) => (
              <Difference
                key={field}
                label={fieldNames[field]}
                names={names}
                theirs={wordsOf(field, theirs[field])}
                mine={wordsOf(field, mine[field])}
                choice={choice}
                onChoose={(next) =>
                  setFieldChoices(new Map([...fieldChoices, [field, next === 'mine' ? 'mine' : 'theirs']]))
                }
              />
            ))}
          </div>
        </Card>
      )}
      {segments.some(({ kind }) => kind === 'different') && (
        <Card title="Text">
          <div class={styles.body}>
            {segments.map((segment, index) =>
              segment.kind === 'same' ? (
                <Same key={index} text={segment.text} />
              ) : (
                <Difference
                  key={index}
                  label="Here the texts differ"
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
          Go on with this
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
              {texts[side] === '' ? <span class={styles.none}>nothing</span> : texts[side]}
            </span>
          </label>
        ))}
      </div>
      {isText && theirs !== '' && mine !== '' && (
        <label class={styles.both}>
          <input type="radio" checked={choice === 'both'} onChange={() => onChoose('both')} />
          Keep both, one below the other
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

function wordsOf(field: keyof typeof fieldNames, value: string | null): string {
  if (field === 'status') return statusWords[value as keyof typeof statusWords];
  if (field === 'audience') return value === 'external' ? 'The team and its guests' : 'The team only';
  return value ?? '';
}

async function compare(theirs: string, mine: string): Promise<Segment[]> {
  const { diffLines } = await import('diff');
  const [left, right] = [withLineEnd(theirs), withLineEnd(mine)];
  const changes = diffLines(left, right, { timeout: compareTimeoutMs });
  return changes === undefined ? [{ kind: 'different', theirs: left, mine: right }] : segmentsOf(changes);
}
