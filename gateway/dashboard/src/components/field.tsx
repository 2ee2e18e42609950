import type {
  ComponentChildren,
  InputHTMLAttributes,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from 'preact';
import { useId } from 'preact/hooks';
import styles from './field.module.css';

interface FieldFrame {
  label: string;
  /** What to know before filling it in. */
  hint?: ComponentChildren;
  /** What is wrong with it. */
  error?: string | undefined;
  /** The label is for screen readers only, because the surroundings say it. */
  isLabelHidden?: boolean;
}

/** A line of text, a number, a day: whatever an `input` takes. */
export function Field(
  props: FieldFrame & Omit<InputHTMLAttributes, 'label'> & { /** Id of a `datalist`. */ list?: string },
) {
  return framed(props, (given) => <input class={styles.control} {...given} />);
}

/** Text of several lines. */
export function TextArea(props: FieldFrame & Omit<TextareaHTMLAttributes, 'label'>) {
  return framed(props, (given) => (
    <textarea class={`${styles.control} ${styles.area}`} rows={6} {...given} />
  ));
}

/** One of a few values; `children` are the options. */
export function Select(
  props: FieldFrame & Omit<SelectHTMLAttributes, 'label'> & { children: ComponentChildren },
) {
  return framed(props, (given) => <select class={styles.control} {...given} />);
}

function framed<Given extends FieldFrame>(
  { label, hint, error, isLabelHidden = false, ...given }: Given,
  control: (given: object) => ComponentChildren,
) {
  const id = useId();
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`]
    .join(' ')
    .trim();
  return (
    <div class={styles.field}>
      <label for={id} class={isLabelHidden ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      {control({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': error === undefined ? undefined : 'true',
        ...given,
      })}
      {hint !== undefined && (
        <p class={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p class={styles.error} id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
