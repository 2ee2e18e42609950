import { useState } from 'preact/hooks';
import { AudienceChoice } from '../../components/audience-choice.tsx';
import { Field, Select, TextArea } from '../../components/field.tsx';
import { Markdown } from '../../components/markdown.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { t } from '../../language/language.ts';
import type { DecisionFields, Status } from './decision.ts';
import { statuses } from './decision.ts';
import styles from './decision-editor.module.css';
import { statusWords } from './status-badge.tsx';

/** The fields of a decision, with a preview of its text. */
export function DecisionForm({
  fields,
  projects,
  titleError,
  onChange,
}: {
  fields: DecisionFields;
  /** Slugs to choose from; others can be typed. */
  projects: readonly string[];
  titleError: string | undefined;
  onChange: (edit: Partial<DecisionFields>) => void;
}) {
  const [view, setView] = useState<'write' | 'preview'>('write');
  return (
    <>
      <Field
        label={t('Title')}
        value={fields.title}
        placeholder={t('What was decided, in one sentence')}
        maxLength={300}
        required
        error={titleError}
        onInput={(event) => onChange({ title: event.currentTarget.value })}
      />
      <div class={styles.facts}>
        <Select
          label={t('Status')}
          value={fields.status}
          onChange={(event) => onChange({ status: event.currentTarget.value as Status })}
        >
          {statuses.map((status) => (
            <option key={status} value={status}>
              {statusWords[status]}
            </option>
          ))}
        </Select>
        <Field
          label={t('Project')}
          value={fields.project ?? ''}
          placeholder={t('none')}
          list="decision-projects"
          spellcheck={false}
          onInput={(event) => onChange({ project: event.currentTarget.value.trim().toLowerCase() || null })}
        />
        <datalist id="decision-projects">
          {projects.map((slug) => (
            <option key={slug} value={slug} />
          ))}
        </datalist>
        <Field
          label={t('Decided on')}
          type="date"
          value={fields.decided_on ?? ''}
          onInput={(event) => onChange({ decided_on: event.currentTarget.value || null })}
        />
      </div>
      <div class={styles.text}>
        <Tabs
          label={t('The text')}
          tabs={[
            { name: 'write', label: t('Write') },
            { name: 'preview', label: t('Preview') },
          ]}
          selected={view}
          onSelect={setView}
        />
        {view === 'write' ? (
          <TextArea
            label={t('Text')}
            isLabelHidden
            value={fields.body}
            rows={14}
            placeholder={t('Why, what else was considered, and what follows from it.')}
            hint={t('Markdown. A line that begins with - [ ] becomes a task.')}
            onInput={(event) => onChange({ body: event.currentTarget.value })}
          />
        ) : (
          <section class={styles.preview} aria-label={t('Preview')}>
            <h2 class="visually-hidden">{fields.title || t('Preview')}</h2>
            {fields.body.trim() === '' ? (
              <p>{t('There is no text yet.')}</p>
            ) : (
              <Markdown text={fields.body} />
            )}
          </section>
        )}
      </div>
      <AudienceChoice value={fields.audience} onChange={(audience) => onChange({ audience })} />
    </>
  );
}
