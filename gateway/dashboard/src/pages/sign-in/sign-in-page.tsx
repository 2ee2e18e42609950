import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Button } from '../../components/button.tsx';
import { Command } from '../../components/copy.tsx';
import { Field } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { KeyForm } from '../../components/key-form.tsx';
import { Notice } from '../../components/problem-notice.tsx';
import { useAction } from '../../data/use-action.ts';
import { t } from '../../language/language.ts';
import { type Credential, hasOidc, session, signIn } from '../../service/session.ts';
import styles from './sign-in-page.module.css';

/** Where to go after signing in: the page that was asked for, or the first one. */
function destination(path: string): string {
  return path === '/sign-in' ? '/' : path + location.search + location.hash;
}

/** What the service says of a sign-in through the organisation that failed, by the word in the address. */
const refusals: Readonly<Record<string, string>> = {
  cancelled: t('The sign-in was cancelled.'),
  expired: t('The sign-in took too long or was begun in another browser. Try again.'),
  no_team: t('This is not the short name of a team: use a to z, 0 to 9 and hyphens.'),
  provider_unavailable: t(
    'The sign-in of your organisation cannot be reached right now. Try again in a moment.',
  ),
  refused: t(
    'The sign-in of your organisation gave an answer that this service does not accept. Tell whoever runs this service.',
  ),
  unavailable: t('The service cannot sign you in right now. Try again in a moment.'),
  unknown_address: t(
    'No member of this team signs in with your mail address. Ask an administrator of the team to add it.',
  ),
  unverified_address: t(
    'Your organisation does not say that your mail address is verified. Ask who manages your account there.',
  ),
};

/** Signs in by a one-time link (the token is behind `#`), by a key, or by the organisation's own accounts. */
export default function SignInPage() {
  const [path, navigate] = useLocation();
  const enter = useAction(async (credential: Credential) => {
    const next = destination(path);
    await signIn(credential);
    if (session.value !== null) navigate(next, { replace: true });
  });
  const [refusal] = useState(() => refusals[new URLSearchParams(location.search).get('refused') ?? '']);
  useEffect(() => {
    document.title = `${t('Sign in')} · Team Memory`;
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
        <h1>{t('Sign in to Team Memory')}</h1>
        {refusal !== undefined && <Notice tone="warn">{refusal}</Notice>}
        {session.value !== null && session.value !== undefined && (
          <Notice>
            {t('You are signed in as {member} of {team}. <a>Go on</a>', {
              member: session.value.member,
              team: session.value.team,
              a: (words) => <a href="/">{words}</a>,
            })}
          </Notice>
        )}
        <KeyForm enter={enter} />
        {hasOidc.value && <OidcForm returnTo={destination(path)} />}
        <div class={styles.other}>
          <h2>{t('With the command line')}</h2>
          <p>{t('Where tms has your key, this opens the dashboard without typing it:')}</p>
          <Command text="tms open" />
        </div>
      </div>
    </main>
  );
}

/** Leads to the organisation's own sign-in, which leads back. */
function OidcForm({ returnTo }: { returnTo: string }) {
  const [team, setTeam] = useState('');
  return (
    <form
      class={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        // Not sent by the form: its policy allows no redirect to the provider.
        location.assign(`/session/oidc?${new URLSearchParams({ team: team.trim(), return_to: returnTo })}`);
      }}
    >
      <Field
        label={t('Your team')}
        name="team"
        required
        value={team}
        onInput={(event) => setTeam(event.currentTarget.value)}
        autocomplete="organization"
        spellcheck={false}
        hint={t('The short name of your team, such as rivers.')}
      />
      <Button type="submit">{t('Sign in with your organisation')}</Button>
    </form>
  );
}
