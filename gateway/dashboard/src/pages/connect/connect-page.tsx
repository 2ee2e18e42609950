import { timestampDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Key } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Access } from '@teammemory/proto/common/v1/access_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Command } from '../../components/copy.tsx';
import { Select } from '../../components/field.tsx';
import { Page } from '../../components/page.tsx';
import { Notice, ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { When } from '../../components/time.tsx';
import { useAction } from '../../data/use-action.ts';
import { useRequest } from '../../data/use-request.ts';
import { plural, t } from '../../language/language.ts';
import { rpc } from '../../service/rpc.ts';
import { isTeamAdministrator, mayMakeKeys, session } from '../../service/session.ts';
import { AccessSelect, dayMs, RevokeKey } from '../team/key-dialogs.tsx';
import { KeyTable } from '../team/keys.tsx';
import { isValid, loadOwnKeys, ownTeam } from '../team/team-data.ts';
import styles from './connect-page.module.css';
import { type Connection, connections, firstConnection } from './snippets.ts';

/** How often the page looks whether a key was used, while somebody waits for its first call. */
const lookEveryMs = 3_000;

/** Makes a key for an agent or a program, says how to set that up, and lists the keys of who is signed in. */
export default function ConnectPage() {
  return mayMakeKeys() ? <Connect /> : <ConnectedApps />;
}

/** For a key that makes none: the apps that it let act. */
function ConnectedApps() {
  const apps = useRequest(loadOwnKeys, []);
  const valid = apps.value?.filter((key) => isValid(key, Date.now())) ?? [];
  return (
    <Page title={t('Connect')}>
      <Notice>
        <p>
          {t(
            'Keys are made with a key of tier team and access write. Ask an administrator of your team for one.',
          )}
        </p>
      </Notice>
      <ProblemNotice problem={apps.problem} onRetry={apps.reload} />
      {valid.length > 0 && (
        <OwnKeys title={t('Apps that you connected')} keys={valid} onChange={apps.reload} />
      )}
    </Page>
  );
}

function Connect() {
  const keys = useRequest(loadOwnKeys, []);
  const [made, setMade] = useState<{ keyId: string; text: string }>();
  const [connection, setConnection] = useState(firstConnection);
  const target = keys.value?.find(({ keyId }) => keyId === made?.keyId);
  const choose = (name: string) =>
    setConnection(connections.find((each) => each.name === name) ?? firstConnection);
  return (
    <Page title={t('Connect')} description={t('Give an agent or a program a key of its own, and set it up.')}>
      <Card title={t('What to connect')}>
        <div class={styles.form}>
          <Select
            label={t('Connect')}
            value={connection.name}
            onChange={(event) => choose(event.currentTarget.value)}
          >
            {connections.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </Select>
          {made === undefined ? (
            <MakeKey
              own={keys.value}
              onMade={(key) => {
                setMade(key);
                keys.reload();
              }}
            />
          ) : (
            <SetUp key={made.keyId} connection={connection} made={made} used={target} onLook={keys.reload} />
          )}
          {made !== undefined && <Button onClick={() => setMade(undefined)}>{t('Make another key')}</Button>}
        </div>
      </Card>
      <ProblemNotice problem={keys.problem} onRetry={keys.reload} />
      {keys.value === undefined && keys.problem === undefined && <Skeleton lines={4} />}
      {keys.value !== undefined && <OwnKeys keys={keys.value} onChange={keys.reload} />}
    </Page>
  );
}

const lifetimes = [
  { days: 7, label: t('In 7 days') },
  { days: 30, label: t('In 30 days') },
  { days: 90, label: t('In 90 days') },
  { days: 365, label: t('In a year') },
];

/** How long a new key may live: as long as the own one, and for a sign-in, a year. */
function latestEnd(own: readonly Key[] | undefined): number {
  const key = own?.find(({ keyId }) => keyId === session.value?.key_id);
  if (isTeamAdministrator() || key?.forSignIn || key?.expiresAt === undefined)
    return Number.POSITIVE_INFINITY;
  return timestampDate(key.expiresAt).getTime();
}

function MakeKey({
  own,
  onMade,
}: {
  own: readonly Key[] | undefined;
  onMade: (made: { keyId: string; text: string }) => void;
}) {
  const [access, setAccess] = useState<Access>(Access.READ);
  const [days, setDays] = useState('90');
  const end = latestEnd(own);
  const fitting = lifetimes.filter((each) => Date.now() + each.days * dayMs <= end);
  const chosen = fitting.some((each) => String(each.days) === days) ? days : '';
  const make = useAction(async () => {
    const { key, secretKey } = await rpc.auth.createKey({
      teamSlug: ownTeam(),
      memberHandle: session.value?.member ?? '',
      tier: Tier.TEAM,
      access,
      ...(chosen === '' ? {} : { expiresAt: timestampFromMs(Date.now() + Number(chosen) * dayMs) }),
    });
    onMade({ keyId: key?.keyId ?? '', text: secretKey });
  });
  return (
    <form
      class={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void make.run();
      }}
    >
      <AccessSelect access={access} onChange={setAccess} />
      <Select label={t('Expires')} value={chosen} onChange={(event) => setDays(event.currentTarget.value)}>
        {fitting.map((each) => (
          <option key={each.days} value={each.days}>
            {each.label}
          </option>
        ))}
        <option value="">
          {end === Number.POSITIVE_INFINITY ? t('As late as it may') : t('With your own key')}
        </option>
      </Select>
      <ProblemNotice problem={make.problem} />
      <Button kind="primary" icon="key" type="submit" isBusy={make.isRunning}>
        {t('Make key')}
      </Button>
    </form>
  );
}

/** What to paste, and whether the key was used since. */
function SetUp({
  connection: { steps, afterwards },
  made,
  used,
  onLook,
}: {
  connection: Connection;
  made: { text: string };
  used: Key | undefined;
  onLook: () => void;
}) {
  const at = used?.lastUsedAt;
  useEffect(() => {
    if (at !== undefined) return;
    const timer = setInterval(() => {
      if (!document.hidden) onLook();
    }, lookEveryMs);
    return () => clearInterval(timer);
  }, [at === undefined]);
  return (
    <>
      <Notice tone="warn">
        <p>{t('The key is shown only now; the service keeps no copy of it.')}</p>
      </Notice>
      <ol class={styles.steps}>
        {steps({ url: location.origin, team: ownTeam() }, made.text).map(({ say, text }) => (
          <li key={say}>
            <p>{say}</p>
            <Command text={text} />
          </li>
        ))}
        <li>
          <p>{afterwards}</p>
          <p role="status" class={styles.wait}>
            {at === undefined ? (
              t('Waiting for the first call …')
            ) : (
              <strong>{t('The first call came {when}.', { when: <When at={timestampDate(at)} /> })}</strong>
            )}
          </p>
        </li>
      </ol>
    </>
  );
}

function OwnKeys({ title, keys, onChange }: { title?: string; keys: readonly Key[]; onChange: () => void }) {
  const [target, setTarget] = useState<Key>();
  const now = Date.now();
  const valid = keys.filter((key) => isValid(key, now));
  return (
    <Card title={title ?? plural(valid.length, 'Your valid key', 'Your {count} valid keys')} isFlush>
      <KeyTable
        caption={t('Your valid keys')}
        keys={valid}
        now={now}
        mayReplace={false}
        onAct={(_, key) => setTarget(key)}
      />
      {target !== undefined && (
        <RevokeKey
          target={target}
          onClose={() => setTarget(undefined)}
          onDone={() => {
            setTarget(undefined);
            onChange();
          }}
        />
      )}
    </Card>
  );
}
