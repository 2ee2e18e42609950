import { Button } from '../../components/button.tsx';
import styles from './team-page.module.css';

/** Buttons of which each chooses some rows of a list, and says how many those are. */
export function Choices({
  label,
  choices,
  chosen,
  onChoose,
}: {
  label: string;
  /** Each with its name, its words, and how many rows it has. */
  choices: readonly (readonly [name: string, words: string, count: number])[];
  chosen: string;
  onChoose: (name: string) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would look like a form.
    <div class={styles.codes} role="group" aria-label={label}>
      {choices.map(([name, words, count]) => (
        <Button
          key={name}
          kind={name === chosen ? 'primary' : 'secondary'}
          aria-pressed={name === chosen}
          onClick={() => onChoose(name)}
        >
          {words} <span>{count}</span>
        </Button>
      ))}
    </div>
  );
}
