import styles from './audience-choice.module.css';

const audiences = [
  {
    value: 'team',
    name: 'The team only',
    words: 'Members of the team, and what they ask with a team key. Guests get no sign of it.',
  },
  {
    value: 'external',
    name: 'The team and its guests',
    words: 'Also everybody from outside who has a guest key of this team. They see the text and its tasks.',
  },
] as const;

/** Chooses who will see a text, in plain words. */
export function AudienceChoice({
  value,
  onChange,
}: {
  value: 'team' | 'external';
  onChange: (audience: 'team' | 'external') => void;
}) {
  return (
    <fieldset class={styles.audience}>
      <legend>Who will see it</legend>
      <div class={styles.choices}>
        {audiences.map(({ value: shown, name, words }) => (
          <label key={shown} class={styles.choice}>
            <input
              type="radio"
              name="audience"
              value={shown}
              checked={value === shown}
              onChange={() => onChange(shown)}
            />
            <strong>{name}</strong>
            <span>{words}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
