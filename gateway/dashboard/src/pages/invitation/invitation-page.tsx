import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Button } from '../../components/button.tsx';
import { Command } from '../../components/copy.tsx';
import fields from '../../components/field.module.css';
import { Field } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { Notice, ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { When } from '../../components/time.tsx';
import { useAction } from '../../data/use-action.ts';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import {
  type Invitation,
  readInvitation,
  type Session,
  session,
  signIn,
  signOut,
} from '../../service/session.ts';
import { connections } from '../connect/snippets.ts';
import styles from '../sign-in/sign-in-page.module.css';

/** Takes an invitation (the token is behind `#`): says what it gives, asks for a name, and shows the new key once. */
export default function InvitationPage() {
  const [token] = useState(() => location.hash.slice(1));
  const [key, setKey] = useState('');
  useEffect(() => {
    document.title = `${t('Invitation')} · Team Memory`;
    // The token must not stay in the history of the browser.
    history.replaceState(null, '', '/invitation');
  }, []);
  return (
    <main class={styles.page}>
      <div class={styles.box}>
        <span class={styles.mark}>
          <Icon name="memory" size={26} />
        </span>
        {key === '' ? <Asked token={token} onJoined={setKey} /> : <Joined secret={key} />}
      </div>
    </main>
  );
}

function Asked({ token, onJoined }: { token: string; onJoined: (key: string) => void }) {
  const current = session.value;
  if (token === '') {
    return (
      <>
        <h1>{t('Invitation')}</h1>
        <Notice>{t('The link of the invitation leads here. Open it again, as you got it.')}</Notice>
      </>
    );
  }
  // The page of somebody else would be drawn anew, and the key that is shown once would be lost.
  if (current) return <SignedIn current={current} />;
  return <Offer token={token} onJoined={onJoined} />;
}

function SignedIn({ current: { member, team } }: { current: Session }) {
  const leave = useAction(() => signOut());
  return (
    <>
      <h1>{t('Invitation')}</h1>
      <Notice>
        {t('You are signed in as {member} of {team} in this browser. Sign out to join with the invitation.', {
          member,
          team,
        })}
      </Notice>
      <ProblemNotice problem={leave.problem} />
      <Button kind="primary" isBusy={leave.isRunning} onClick={() => void leave.run()}>
        {t('Sign out')}
      </Button>
      <Link href="/">{t('Stay signed in')}</Link>
    </>
  );
}

function Offer({ token, onJoined }: { token: string; onJoined: (key: string) => void }) {
  const { value: invitation, problem, reload } = useRequest(() => readInvitation(token), [token]);
  if (invitation === undefined) {
    return (
      <>
        <h1>{t('Invitation')}</h1>
        {problem === undefined && <Skeleton lines={4} />}
        {problem?.code === 'invalid_key' ? (
          <>
            <ProblemNotice problem={problem} />
            <p>{t('Ask whoever invited you for a new link.')}</p>
          </>
        ) : (
          <ProblemNotice problem={problem} onRetry={reload} />
        )}
      </>
    );
  }
  return (
    <>
      <h1>{t('Join {team_name}', { team_name: invitation.team_name })}</h1>
      <Given invitation={invitation} />
      <NameForm token={token} onJoined={onJoined} />
    </>
  );
}

const accessWords: Readonly<Record<Invitation['access'], string>> = {
  read: t('You read and ask, and change nothing.'),
  propose: t('You propose items, which wait until a member accepts them.'),
  own: t('You add items, and change those that you wrote last.'),
  write: t('You change everything that you see.'),
};

function Given({ invitation }: { invitation: Invitation }) {
  const { invited_by, role, tier, access, expires_at } = invitation;
  return (
    <div>
      <p>
        {t(
          role === 'admin'
            ? '{invited_by} invites you as an administrator of the team {team}.'
            : '{invited_by} invites you as a member of the team {team}.',
          { invited_by, team: invitation.team },
        )}{' '}
        {tier === 'team'
          ? t('You will see everything of the team.')
          : t('You will see what the team marked for guests.')}{' '}
        {accessWords[access]}
      </p>
      <p>{t('The invitation ends {when}.', { when: <When at={new Date(expires_at)} /> })}</p>
    </div>
  );
}

function NameForm({ token, onJoined }: { token: string; onJoined: (key: string) => void }) {
  const [name, setName] = useState('');
  const join = useAction(async () => {
    onJoined(await signIn({ invitation_token: token, member: name.trim() }));
  });
  return (
    <form
      class={fields.form}
      onSubmit={(event) => {
        event.preventDefault();
        void join.run();
      }}
    >
      <Field
        label={t('Your name in the team')}
        hint={t(
          '1 to 64 of a–z, 0–9, dot, underscore and hyphen. It never changes, and everything you write carries it.',
        )}
        required
        maxLength={64}
        autocomplete="username"
        spellcheck={false}
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <ProblemNotice problem={join.problem} />
      <Button type="submit" kind="primary" isBusy={join.isRunning}>
        {t('Join')}
      </Button>
    </form>
  );
}

/** Shows the key of the new member, and what to do with it. */
function Joined({ secret }: { secret: string }) {
  const target = { url: location.origin, team: session.value?.team ?? '' };
  const steps = connections.find(({ name }) => name === 'tms')?.steps(target, secret) ?? [];
  // The key is above them already.
  const commands = steps.filter(({ text }) => text !== secret);
  return (
    <>
      <h1 tabIndex={-1} ref={(heading) => heading?.focus()}>
        {t('You are in')}
      </h1>
      <p>{t('You are signed in as {member} in this browser.', { member: session.value?.member })}</p>
      <Notice tone="warn">
        <p>
          {t(
            'Your key is shown only now; the service keeps no copy of it. Store it where you keep passwords.',
          )}
        </p>
      </Notice>
      <Command text={secret} />
      <h2>{t('With the command line')}</h2>
      {commands.map(({ say, text }) => (
        <div key={say}>
          <p>{say}</p>
          <Command text={text} />
        </div>
      ))}
      <Link href="/">{t('Open Team Memory')}</Link>
    </>
  );
}
