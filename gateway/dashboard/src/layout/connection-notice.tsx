import { useEffect } from 'preact/hooks';
import { Dialog } from '../components/dialog.tsx';
import { KeyForm } from '../components/key-form.tsx';
import { useAction } from '../data/use-action.ts';
import { type Credential, checkSession, connection, signIn } from '../service/session.ts';
import styles from './layout.module.css';

/**
 * How often an open page asks whether its session is valid. With the time for which the gateway caches a session it stays
 * within the 5 s in which a revocation takes effect.
 */
const checkIntervalMs = 1_000;

/** Says when the service cannot be reached, and when the session has ended, over the page as it is. */
export function ConnectionNotice() {
  useEffect(() => {
    let isAsking = false;
    const check = async () => {
      if (isAsking || document.hidden) return;
      isAsking = true;
      await checkSession();
      isAsking = false;
    };
    const timer = setInterval(check, checkIntervalMs);
    document.addEventListener('visibilitychange', check);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', check);
    };
  }, []);
  return (
    <>
      <div class={styles.connection} role="status">
        {connection.value === 'offline' && (
          <p>The service cannot be reached. This page goes on as soon as it answers again.</p>
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
    <Dialog title="Your session has ended">
      <p>
        Sign in again to go on; what you typed is still here. You can also sign in in another tab of this
        browser, with your organisation or with <code>tms open</code>.
      </p>
      <KeyForm enter={enter} />
    </Dialog>
  );
}
