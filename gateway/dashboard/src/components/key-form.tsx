import { useState } from 'preact/hooks';
import type { Action } from '../data/use-action.ts';
import { t } from '../language/language.ts';
import type { Credential } from '../service/session.ts';
import { Button } from './button.tsx';
import styles from './field.module.css';
import { Field } from './field.tsx';
import { ProblemNotice } from './problem-notice.tsx';

/** Asks for a key to sign in with. */
export function KeyForm({ enter }: { enter: Action<Credential> }) {
  const [key, setKey] = useState('');
  return (
    <form
      class={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void enter.run({ key: key.trim() });
      }}
    >
      <Field
        label={t('Your key')}
        type="password"
        autocomplete="off"
        spellcheck={false}
        required
        value={key}
        onInput={(event) => setKey(event.currentTarget.value)}
        hint={t(
          'It begins with tms_ and is exchanged for a session of 12 hours. The browser does not keep it.',
        )}
      />
      <ProblemNotice problem={enter.problem} />
      {enter.problem?.code === 'invalid_key' && (
        <p>
          {t(
            'A key is shown once, when it is made. An administrator of your team can make a new one; whoever runs this service knows who that is.',
          )}
        </p>
      )}
      <Button type="submit" kind="primary" isBusy={enter.isRunning}>
        {t('Sign in')}
      </Button>
    </form>
  );
}
