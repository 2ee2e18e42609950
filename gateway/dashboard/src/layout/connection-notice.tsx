import { useEffect } from 'preact/hooks';
import { Dialog } from '../components/dialog.tsx';
import { KeyForm } from '../components/key-form.tsx';
import { useChangeStream } from '../data/change-stream.ts';
import { useAction } from '../data/use-action.ts';
import { t } from '../language/language.ts';
import { type Credential, checkSession, connection, signIn } from '../service/session.ts';
import styles from './layout.module.css';

/** How often a page that is looked at asks who is signed in, and as what. The stream of changes tells at once of the end. */
const checkIntervalMs = 30_000;

/** Says when the service cannot be reached, and when the session has ended, over the page as it is. */
export function ConnectionNotice() {
  useChangeStream();
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void checkSession();
    }, checkIntervalMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <div class={styles.connection} role="status">
        {connection.value === 'offline' && (
          <p>{t('The service cannot be reached. This page goes on as soon as it answers again.')}</p>
        )}
      </div>
      {connection.value === 'ended' && <SessionEnded />}
    </>
  );
}

/** Lies over the page until somebody is signed in again, here or by a link in another tab. */
function SessionEnded() {
  const enter = useAction((credential: Credential) => signIn(credential));
  return (
    <Dialog title={t('Your session has ended')}>
      <p>
        {t(
          'Sign in again to go on; what you typed is still here. You can also sign in in another tab of this browser, with your organisation or with {code}.',
          { code: <code>tms open</code> },
        )}
      </p>
      <KeyForm enter={enter} />
    </Dialog>
  );
}
