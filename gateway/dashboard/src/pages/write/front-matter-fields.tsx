import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { Notice } from '../../components/problem-notice.tsx';
import { t } from '../../language/language.ts';
import {
  addedField,
  changedField,
  type FrontMatterField,
  frontMatterOf,
  removedField,
  withChange,
} from './front-matter.ts';
import styles from './write-page.module.css';

/** The front matter of a text as fields. Each edit changes its own part of the text and nothing else. */
export function FrontMatterFields({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const [name, setName] = useState('');
  const { fields, problem } = frontMatterOf(text);
  const isTaken = fields.some((field) => field.name === name.trim());
  const add = () => {
    if (name.trim() === '' || isTaken) return;
    onChange(withChange(text, addedField(text, name.trim(), '')));
    setName('');
  };
  return (
    <fieldset class={styles.fields}>
      <legend>{t('Front matter')}</legend>
      {problem !== undefined && (
        <Notice tone="warn">
          <p>
            {t(
              'It cannot be read, and the note cannot be saved until it can: {problem}. Correct it in the text.',
              { problem },
            )}
          </p>
        </Notice>
      )}
      {fields.map((field) => (
        <FieldRow key={field.name} field={field} text={text} onChange={onChange} />
      ))}
      {problem === undefined && (
        <div class={styles.fieldRow}>
          <Field
            label={t('Another field')}
            value={name}
            placeholder={t('such as tags or status')}
            maxLength={100}
            spellcheck={false}
            error={isTaken ? t('There is a field of this name.') : undefined}
            onInput={(event) => setName(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              add();
            }}
          />
          <Button icon="plus" disabled={name.trim() === '' || isTaken} onClick={add}>
            {t('Add field')}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

function FieldRow({
  field,
  text,
  onChange,
}: {
  field: FrontMatterField;
  text: string;
  onChange: (text: string) => void;
}) {
  const { name, kind, value } = field;
  // What is typed stays as it is typed, even where the text has it in another form.
  const [typed, setTyped] = useState<string>();
  return (
    <div class={styles.fieldRow}>
      <Field
        label={name}
        value={typed ?? value}
        readOnly={kind === 'other'}
        hint={
          {
            text: undefined,
            list: t('With commas between the entries.'),
            other: t('Change it in the text.'),
          }[kind]
        }
        onInput={(event) => {
          const next = event.currentTarget.value;
          setTyped(next);
          onChange(withChange(text, changedField(field, next)));
        }}
        onBlur={() => setTyped(undefined)}
      />
      <Button
        kind="quiet"
        icon="close"
        aria-label={t('Remove {name}', { name })}
        onClick={() => onChange(withChange(text, removedField(text, field)))}
      />
    </div>
  );
}
