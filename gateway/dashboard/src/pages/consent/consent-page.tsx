import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import fields from '../../components/field.module.css';
import { Select } from '../../components/field.tsx';
import { Page } from '../../components/page.tsx';
import { Notice, ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useAction } from '../../data/use-action.ts';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import {
  type AppRequest,
  type AskingClient,
  type ConsentDecision,
  decide,
  type RefusedRequest,
  readAppRequest,
} from '../../service/consent.ts';

/** Asks whether an app may act for who is signed in; the query of the address is what the app asks for. */
export default function ConsentPage() {
  const [query] = useState(() => location.search.slice(1));
  const { value: asked, problem, reload } = useRequest(() => readAppRequest(query), [query]);
  return (
    <Page title={t('Connect an app')} isNarrow>
      <ProblemNotice problem={problem} onRetry={reload} />
      {asked === undefined && problem === undefined && <Skeleton lines={4} />}
      {asked !== undefined &&
        (asked.refused === undefined ? <Decision query={query} asked={asked} /> : <Refused {...asked} />)}
    </Page>
  );
}

/** Says what is wrong, and leaves the way back to the person: an app must not have this page send people anywhere. */
function Refused({ client, refused, location: back }: RefusedRequest) {
  return (
    <Card title={titleOf(client)}>
      <Notice tone="warn">
        {t('The app asked in a way that this service does not know: {reason}.', { reason: refused })}
      </Notice>
      <Button onClick={() => location.assign(back)}>{backTo(client)}</Button>
    </Card>
  );
}

function titleOf({ host }: AskingClient): string {
  return host === null
    ? t('An app that registered itself asks to act for you')
    : t('{host} asks to act for you', { host });
}

function backTo({ redirect_host: host }: AskingClient): string {
  return host === null ? t('Back to the program on this machine') : t('Back to {host}', { host });
}

const accessWords: Readonly<Record<AppRequest['access'][number], string>> = {
  read: t('Read and ask, and change nothing'),
  propose: t('Also propose items, which wait until a member accepts them'),
  own: t('Also add items, and change those that you wrote last'),
  write: t('Also change everything that you see'),
};

function Decision({ query, asked }: { query: string; asked: AppRequest }) {
  const { client, team, member, tier } = asked;
  const [access, setAccess] = useState(asked.access[0] ?? 'read');
  const [days, setDays] = useState(30);
  const choose = useAction(async (decision: ConsentDecision) => {
    location.assign(await decide(query, decision));
  });
  return (
    <Card title={titleOf(client)}>
      <form
        class={fields.form}
        onSubmit={(event) => {
          event.preventDefault();
          void choose.run({ access, days, team, member, tier });
        }}
      >
        <p>
          {tier === 'team'
            ? t('It will act as {member} in the team {team}, and see everything of the team.', {
                member,
                team,
              })
            : t('It will act as {member} in the team {team}, and see what the team marked for guests.', {
                member,
                team,
              })}
        </p>
        {client.name !== null && (
          <p>
            {t('The app calls itself “{name}”. Nobody has checked this name.', {
              name: <bdi translate={false}>{client.name}</bdi>,
            })}
          </p>
        )}
        <Notice tone="warn">
          {client.redirect_host === null
            ? t('Go on only if you have just started this in a program on this machine.')
            : t('Go on only if you have just started this at {host}.', { host: client.redirect_host })}
        </Notice>
        <Select
          label={t('What the app may do')}
          value={access}
          onChange={(event) => setAccess(event.currentTarget.value as typeof access)}
        >
          {asked.access.map((each) => (
            <option key={each} value={each}>
              {accessWords[each]}
            </option>
          ))}
        </Select>
        <Select
          label={t('For how long')}
          hint={t('Never longer than your own key. You can end it before on the page Team or Connect.')}
          value={String(days)}
          onChange={(event) => setDays(Number(event.currentTarget.value))}
        >
          {asked.days.map((each) => (
            <option key={each} value={String(each)}>
              {each === 1 ? t('For a day') : t('For {days} days', { days: each })}
            </option>
          ))}
        </Select>
        <ProblemNotice problem={choose.problem} />
        <Button type="submit" kind="primary" isBusy={choose.isRunning}>
          {t('Let it act')}
        </Button>
        <Button isBusy={choose.isRunning} onClick={() => void choose.run('decline')}>
          {t('Decline')}
        </Button>
      </form>
    </Card>
  );
}
