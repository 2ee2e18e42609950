import { useLocation } from 'wouter-preact';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Difference } from '../../components/difference.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { When } from '../../components/time.tsx';
import { keepDraft } from '../../data/drafts.ts';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import { decisionPath } from '../../service/paths.ts';
import { type Decision, draftNameOf, fieldsOf, mayEdit, readVersions } from './decision.ts';
import styles from './decision-page.module.css';
import { shortFields } from './differing-fields.ts';
import { statusWords } from './status-badge.tsx';

const names = {
  title: t('Title'),
  status: t('Status'),
  project: t('Project'),
  decided_on: t('Decided on'),
  audience: t('Who sees it'),
};

/** What a decision was, newest first, with what each change did. */
export function DecisionHistory({ decision }: { decision: Decision }) {
  const { value, problem, reload } = useRequest(
    (signal) => readVersions(decision.decision_id, signal),
    [decision.decision_id, decision.updated_at],
  );
  if (problem !== undefined) return <ProblemNotice problem={problem} onRetry={reload} />;
  if (value === undefined) return <Skeleton lines={8} />;
  const versions = [decision, ...value];
  return (
    <section aria-label={t('History')}>
      <h2 class="visually-hidden">{t('History')}</h2>
      <ol class={styles.versions}>
        {versions.map((version, index) => (
          <Version
            key={version.updated_at}
            decision={decision}
            version={version}
            before={versions[index + 1]}
          />
        ))}
      </ol>
    </section>
  );
}

function Version({
  decision,
  version,
  before,
}: {
  decision: Decision;
  version: Decision;
  before: Decision | undefined;
}) {
  const [, navigate] = useLocation();
  const isPresent = version === decision;
  const changed = shortFields.filter((field) => before !== undefined && before[field] !== version[field]);
  const edit = () => {
    keepDraft(draftNameOf(decision.decision_id), { base: decision, fields: fieldsOf(version) });
    navigate(`${decisionPath(decision.decision_id)}/edit`);
  };
  return (
    <li class={styles.version}>
      <div class={styles.head}>
        <h3>{version.updated_by}</h3>
        {isPresent && <Badge tone="accent">{t('Now')}</Badge>}
        <When at={version.updated_at} />
        {!isPresent && !decision.hidden && mayEdit(decision) && (
          <Button kind="quiet" icon="history" onClick={edit}>
            {t('Write on from here')}
          </Button>
        )}
      </div>
      {changed.length > 0 && before !== undefined && (
        <dl class={styles.changes}>
          {changed.flatMap((field) => [
            <dt key={`${field} name`}>{names[field]}</dt>,
            <dd key={field}>
              <del>{wordsOf(field, before[field])}</del> → <ins>{wordsOf(field, version[field])}</ins>
            </dd>,
          ])}
        </dl>
      )}
      {before === undefined && <p class={styles.quiet}>{t('The oldest version that is kept:')}</p>}
      {(before === undefined || before.body !== version.body) && (
        <Difference
          before={before?.body ?? ''}
          after={version.body}
          label={t('Differences of the version of {when}', { when: version.updated_at })}
        />
      )}
      {changed.length === 0 && before?.body === version.body && (
        <p class={styles.quiet}>{t('Hidden or shown again, without another change.')}</p>
      )}
    </li>
  );
}

function wordsOf(field: keyof typeof names, value: string | null): string {
  if (field === 'status') return statusWords[value as keyof typeof statusWords];
  if (field === 'audience') return value === 'external' ? t('Guests too') : t('Team');
  return value ?? t('none');
}
