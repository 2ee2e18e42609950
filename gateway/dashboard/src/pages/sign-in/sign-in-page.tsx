import { useEffect } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Button } from '../../components/button.tsx';
import { Command } from '../../components/copy.tsx';
import { Field } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { KeyForm } from '../../components/key-form.tsx';
import { Notice } from '../../components/problem-notice.tsx';
import { useAction } from '../../data/use-action.ts';
import { type Credential, hasOidc, session, signIn } from '../../service/session.ts';
import styles from './sign-in-page.module.css';

/** Where to go after signing in: the page that was asked for, or the first one. */
function destination(path: string): string {
  return path === '/sign-in' ? '/' : path + location.search + location.hash;
}

/** Signs in by a one-time link (the token is behind `#`), by a key, or by the organisation's own accounts. */
export default function SignInPage() {
  const [path, navigate] = useLocation();
  const enter = useAction(async (credential: Credential) => {
    const next = destination(path);
    await signIn(credential);
    if (session.value !== null) navigate(next, { replace: true });
  });
  useEffect(() => {
    document.title = 'Sign in · Team Memory';
    const token = path === '/sign-in' ? location.hash.slice(1) : '';
    if (token === '') return;
    // The token must not stay in the history of the browser.
    history.replaceState(null, '', '/sign-in');
    void enter.run({ sign_in_token: token });
  }, []);
  return (
    <main class={styles.page}>
      <div class={styles.box}>
        <span class={styles.mark}>
          <Icon name="memory" size={26} />
        </span>
        <h1>Sign in to Team Memory</h1>
        {session.value !== null && session.value !== undefined && (
          <Notice>
            You are signed in as {session.value.member} of {session.value.team}. <a href="/">Go on</a>
          </Notice>
        )}
        <KeyForm enter={enter} />
        {hasOidc.value && <OidcForm returnTo={destination(path)} />}
        <div class={styles.other}>
          <h2>With the command line</h2>
          <p>Where tms has your key, this opens the dashboard without typing it:</p>
          <Command text="tms open" />
        </div>
      </div>
    </main>
  );
}

/** Leads to the organisation's own sign-in, which leads back. */
function OidcForm({ returnTo }: { returnTo: string }) {
  return (
    <form class={styles.form} action="/session/oidc" method="get">
      <input type="hidden" name="return_to" value={returnTo} />
      <Field
        label="Your team"
        name="team"
        required
        autocomplete="organization"
        spellcheck={false}
        hint="The short name of your team, such as rivers."
      />
      <Button type="submit">Sign in with your organisation</Button>
    </form>
  );
}
