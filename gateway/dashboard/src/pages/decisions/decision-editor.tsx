import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { audienceNames } from '../../components/audience-choice.tsx';
import { ConfirmGuests } from '../../components/confirm-guests.tsx';
import { EditorBar } from '../../components/editor-bar.tsx';
import { type Merged, MergeEdits } from '../../components/merge-edits.tsx';
import { Notice, ProblemNotice } from '../../components/problem-notice.tsx';
import { draftOf, dropDraft, keepDraft } from '../../data/drafts.ts';
import { useAction } from '../../data/use-action.ts';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import { decisionPath } from '../../service/paths.ts';
import { problemOf } from '../../service/problem.ts';
import { rpc } from '../../service/rpc.ts';
import {
  createDecision,
  type Decision,
  type DecisionFields,
  draftNameOf,
  emptyFields,
  fieldsOf,
  readDecision,
  saveDecision,
} from './decision.ts';
import styles from './decision-editor.module.css';
import { DecisionForm } from './decision-form.tsx';
import { differingFields, isSameText } from './differing-fields.ts';
import { statusWords } from './status-badge.tsx';

/** A text that was typed and is not stored yet. */
export interface Draft {
  /** The version that it was made from; undefined for a new decision. */
  base: Decision | undefined;
  fields: DecisionFields;
}

const fieldNames = {
  title: t('Title'),
  status: t('Status'),
  project: t('Project'),
  decided_on: t('Decided on'),
  audience: t('Who will see it'),
};

/**
 * Writes a decision, or a new one if there is no `decision`. What is typed is kept until it is stored or discarded; where
 * somebody else has stored another version meanwhile, both are shown.
 */
export function DecisionEditor({ decision }: { decision?: Decision }) {
  const draftName = draftNameOf(decision?.decision_id ?? 'new');
  const [, navigate] = useLocation();
  const [draft, setDraft] = useState<Draft>(() => draftOf(draftName) ?? startFrom(decision));
  const [isResumed, setResumed] = useState(() => draftOf(draftName) !== undefined);
  const [theirs, setTheirs] = useState<Decision>();
  const [asks, setAsks] = useState(false);
  const [titleError, setTitleError] = useState<string>();
  const { value: projects = [] } = useRequest(readProjects, []);
  const { base, fields } = draft;
  const isChanged = !isSameText(fields, startFrom(base).fields);
  const keep = (next: Draft) => {
    setDraft(next);
    if (isSameText(next.fields, startFrom(next.base).fields)) dropDraft(draftName);
    else keepDraft(draftName, next);
  };
  const leave = (path: string) => {
    dropDraft(draftName);
    navigate(path);
  };
  const save = useAction(async () => {
    if (base === undefined) {
      const decisionId = await createDecision(fields);
      return leave(decisionPath(decisionId));
    }
    try {
      await saveDecision(base, fields);
    } catch (thrown) {
      if (problemOf(thrown).code !== 'conflict') throw thrown;
      // The draft stays as it is until its author has chosen.
      setTheirs(await readDecision(base.decision_id));
      return;
    }
    leave(decisionPath(base.decision_id));
  });
  const becomesVisible = fields.audience === 'external' && base?.audience !== 'external';
  const submit = () => {
    const isBlank = fields.title.trim() === '';
    setTitleError(isBlank ? t('A decision needs a title.') : undefined);
    if (isBlank) document.querySelector<HTMLInputElement>('main input[required]')?.focus();
    else if (becomesVisible) setAsks(true);
    else save.run();
  };
  if (theirs !== undefined && base !== undefined) {
    return (
      <MergeEdits
        author={theirs.updated_by}
        at={theirs.updated_at}
        facts={[...differingFields(base, theirs, fields)].map(([field, suggested]) => ({
          name: field,
          label: fieldNames[field],
          theirs: wordsOf(field, theirs[field]),
          mine: wordsOf(field, fields[field]),
          suggested,
        }))}
        texts={{ base: base.body, theirs: theirs.body, mine: fields.body }}
        onMerged={(merged) => {
          keep({ base: theirs, fields: mergedFields(theirs, fields, merged) });
          setTheirs(undefined);
        }}
      />
    );
  }
  return (
    <form
      class={styles.form}
      noValidate
      aria-label={base === undefined ? t('A new decision') : t('The decision')}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {isResumed && isChanged && (
        <Notice>
          <p>{t('Here is what you wrote before and did not save. Nobody else has seen it.')}</p>
        </Notice>
      )}
      <DecisionForm
        fields={fields}
        projects={projects}
        titleError={titleError}
        onChange={(edit) => keep({ base, fields: { ...fields, ...edit } })}
      />
      <ProblemNotice problem={save.problem} />
      <EditorBar
        state={stateWords(base, fields, isChanged)}
        leave={t('Cancel')}
        save={base === undefined ? t('Create decision') : t('Save')}
        isChanged={isChanged}
        isBusy={save.isRunning}
        onLeave={() => {
          setResumed(false);
          leave(base === undefined ? '/decisions' : decisionPath(base.decision_id));
        }}
      />
      {asks && (
        <ConfirmDecision
          fields={fields}
          onClose={() => setAsks(false)}
          onConfirm={() => {
            setAsks(false);
            save.run();
          }}
        />
      )}
    </form>
  );
}

/** Asks before guests see what they did not see before. */
export function ConfirmDecision({
  fields: { title },
  onClose,
  onConfirm,
}: {
  fields: Pick<DecisionFields, 'title'>;
  onClose: () => void;
  onConfirm: () => void;
}) {
  return (
    <ConfirmGuests onClose={onClose} onConfirm={onConfirm}>
      <p>
        {t(
          'Everybody from outside with a guest key of this team will see {title}: its whole text, its tasks, and your name as who wrote it. Their tools may keep a copy.',
          { title: <strong>{title}</strong> },
        )}
      </p>
      <p>{t('You can take it back to the team later, but what was read cannot be unread.')}</p>
    </ConfirmGuests>
  );
}

function mergedFields(theirs: Decision, mine: DecisionFields, { text, facts }: Merged): DecisionFields {
  const merged: Record<string, unknown> = { ...fieldsOf(theirs), body: text };
  for (const [field, choice] of facts) {
    if (choice === 'mine') merged[field] = mine[field as keyof DecisionFields];
  }
  return merged as unknown as DecisionFields;
}

function wordsOf(field: keyof typeof fieldNames, value: string | null): string {
  if (field === 'status') return statusWords[value as keyof typeof statusWords];
  if (field === 'audience') return audienceNames[value as keyof typeof audienceNames];
  return value ?? '';
}

function startFrom(decision: Decision | undefined): Draft {
  return { base: decision, fields: decision === undefined ? emptyFields : fieldsOf(decision) };
}

function stateWords(base: Decision | undefined, { audience }: DecisionFields, isChanged: boolean): string {
  if (!isChanged) return '';
  const who = {
    team: t('The team sees it as soon as you save.'),
    external: t('The team and its guests see it as soon as you save.'),
  }[audience];
  return base?.audience === 'external' && audience === 'team' ? t('Guests lose sight of it at once.') : who;
}

async function readProjects(signal: AbortSignal): Promise<string[]> {
  const { projects } = await rpc.content.listProjects({}, { signal });
  return projects.map(({ slug }) => slug);
}
