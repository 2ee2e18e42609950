import { t } from '../language/language.ts';
import styles from './audience-choice.module.css';

/** Who sees a text, by its tier. */
export const audienceNames = { team: t('The team only'), external: t('The team and its guests') };

const audiences = [
  {
    value: 'team',
    words: t('Members of the team, and what they ask with a team key. Guests get no sign of it.'),
  },
  {
    value: 'external',
    words: t(
      'Also everybody from outside who has a guest key of this team. They see the text and its tasks.',
    ),
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
      <legend>{t('Who will see it')}</legend>
      <div class={styles.choices}>
        {audiences.map(({ value: shown, words }) => (
          <label key={shown} class={styles.choice}>
            <input
              type="radio"
              name="audience"
              value={shown}
              checked={value === shown}
              onChange={() => onChange(shown)}
            />
            <strong>{audienceNames[shown]}</strong>
            <span>{words}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
