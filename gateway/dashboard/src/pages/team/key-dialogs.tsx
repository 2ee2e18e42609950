import { timestampDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Key, Member } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Access } from '@teammemory/proto/common/v1/access_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { useState } from 'preact/hooks';
import { ConfirmAction, FormDialog } from '../../components/dialog.tsx';
import { Field, Select } from '../../components/field.tsx';
import { Notice } from '../../components/problem-notice.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { When } from '../../components/time.tsx';
import { useAction } from '../../data/use-action.ts';
import { t } from '../../language/language.ts';
import { rpc } from '../../service/rpc.ts';
import { checkSession, session } from '../../service/session.ts';
import { ownTeam } from './team-data.ts';
import styles from './team-page.module.css';

export const dayMs = 24 * 60 * 60 * 1000;
const hourSeconds = 60 * 60;

/** A key that was just made; its text exists nowhere else. */
export interface MadeKey {
  text: string;
  member: string;
  /** The key that it replaces. */
  replaced?: Key | undefined;
}

/** Asks what a new key shall be, and makes it. */
export function CreateKey({
  members,
  member: chosen,
  onClose,
  onMade,
}: {
  members: readonly Member[];
  member: string;
  onClose: () => void;
  onMade: (made: MadeKey) => void;
}) {
  const [member, setMember] = useState(chosen === '' ? (session.value?.member ?? '') : chosen);
  const [tier, setTier] = useState<Tier>(Tier.TEAM);
  const [access, setAccess] = useState<Access>(Access.WRITE);
  const [days, setDays] = useState('90');
  const [limit, setLimit] = useState('');
  const create = useAction(async () => {
    const { secretKey } = await rpc.auth.createKey({
      teamSlug: ownTeam(),
      memberHandle: member,
      tier,
      access,
      ...(days === '' ? {} : { expiresAt: timestampFromMs(Date.now() + Number(days) * dayMs) }),
      ...(limit === '' ? {} : { itemWritesPerMinute: Number(limit) }),
    });
    onMade({ text: secretKey, member });
  });
  const changeTier = (next: Tier) => {
    setTier(next);
    setAccess(next === Tier.TEAM ? Access.WRITE : Access.OWN);
  };
  return (
    <FormDialog title={t('New key')} submit={t('Make key')} action={create} onClose={onClose}>
      <Select
        label={t('Member')}
        hint={t('Whatever is done with the key is done in this name.')}
        value={member}
        onChange={(event) => setMember(event.currentTarget.value)}
      >
        {members.map(({ handle }) => (
          <option key={handle} value={handle}>
            {handle}
          </option>
        ))}
      </Select>
      <TierSelect tier={tier} onChange={changeTier} />
      <AccessSelect access={access} onChange={setAccess} />
      <div class={styles.pair}>
        <Select label={t('Expires')} value={days} onChange={(event) => setDays(event.currentTarget.value)}>
          <option value="7">{t('In 7 days')}</option>
          <option value="30">{t('In 30 days')}</option>
          <option value="90">{t('In 90 days')}</option>
          <option value="365">{t('In a year')}</option>
          <option value="">{t('Never')}</option>
        </Select>
        <Field
          label={t('Item writes a minute')}
          type="number"
          min={1}
          max={1_000_000}
          placeholder={t('as every key')}
          value={limit}
          onInput={(event) => setLimit(event.currentTarget.value)}
        />
      </div>
    </FormDialog>
  );
}

/** A choice of what a key sees, with a sentence on the choice made. */
export function TierSelect({ tier, onChange }: { tier: Tier; onChange: (tier: Tier) => void }) {
  return (
    <Select
      label={t('What it sees')}
      hint={
        tier === Tier.TEAM
          ? t('Everything of the team, spending and readiness as well.')
          : t('Only what the team marked for guests, and no sign of anything else.')
      }
      value={tier}
      onChange={(event) => onChange(Number(event.currentTarget.value) as Tier)}
    >
      <option value={Tier.TEAM}>{t('Team')}</option>
      <option value={Tier.EXTERNAL}>{t('Guest (external)')}</option>
    </Select>
  );
}

/** What a key with an access may do. */
const accessHints: Readonly<Record<number, string>> = {
  [Access.READ]: t('It pulls and asks, and changes nothing: right for an agent that only reads.'),
  [Access.PROPOSE]: t(
    'It proposes items, which wait until a member accepts them: right for an agent that writes.',
  ),
  [Access.OWN]: t('It adds items, and changes and removes those that its member wrote last.'),
  [Access.WRITE]: t('It changes and removes everything that it sees.'),
};

/** A choice of what a key may do, with a sentence on the choice made. */
export function AccessSelect({ access, onChange }: { access: Access; onChange: (access: Access) => void }) {
  return (
    <Select
      label={t('What it may do')}
      hint={accessHints[access]}
      value={access}
      onChange={(event) => onChange(Number(event.currentTarget.value) as Access)}
    >
      <option value={Access.READ}>{t('Read')}</option>
      <option value={Access.PROPOSE}>{t('Propose: read, and propose items')}</option>
      <option value={Access.OWN}>{t('Own: read, and write own items')}</option>
      <option value={Access.WRITE}>{t('Write')}</option>
    </Select>
  );
}

/** Shows a key that was just made, once. */
export function ShowKey({ made, onClose }: { made: MadeKey; onClose: () => void }) {
  const end = made.replaced?.expiresAt;
  return (
    <ShownOnce
      title={t('Key of {member}', { member: made.member })}
      warning={t('This key is shown only now; the service keeps no copy of it. Hand it over by a safe way.')}
      secret={made.text}
      onClose={onClose}
    >
      {end !== undefined && (
        <p>
          {t('The old key {keyId} ends {when}.', {
            keyId: <code>{made.replaced?.keyId}</code>,
            when: <When at={timestampDate(end)} />,
          })}
        </p>
      )}
      <p class={styles.muted}>
        {t(
          '{command} asks its holder for the key and sets up a computer; {code} then opens this dashboard.',
          {
            command: <code>{`tms login --url ${location.origin} --team ${session.value?.team}`}</code>,
            code: <code>tms open</code>,
          },
        )}
      </p>
    </ShownOnce>
  );
}

const overlaps = [
  { seconds: 0, label: t('Not at all: it ends now') },
  { seconds: hourSeconds, label: t('An hour') },
  { seconds: 24 * hourSeconds, label: t('A day') },
  { seconds: 7 * 24 * hourSeconds, label: t('7 days') },
  { seconds: 30 * 24 * hourSeconds, label: t('30 days') },
];

/** Asks how long a key goes on working beside the one that replaces it. */
export function RotateKey({
  target,
  onClose,
  onMade,
}: {
  target: Key;
  onClose: () => void;
  onMade: (made: MadeKey) => void;
}) {
  const [overlapSeconds, setOverlap] = useState(24 * hourSeconds);
  const rotate = useAction(async () => {
    const { secretKey, replaced } = await rpc.auth.rotateKey({ keyId: target.keyId, overlapSeconds });
    onMade({ text: secretKey, member: target.memberHandle, replaced });
  });
  const isOwn = target.keyId === session.value?.key_id;
  return (
    <ConfirmAction
      title={t('Replace a key of {memberHandle}', { memberHandle: target.memberHandle })}
      confirm={t('Replace key')}
      isDanger={false}
      action={rotate}
      onClose={onClose}
    >
      <p>
        {t(
          'A new key of the same member, tier, access and limit takes the place of {keyId}. It lives as long as the old one was made for.',
          { keyId: <code>{target.keyId}</code> },
        )}
      </p>
      <Select
        label={t('How long the old key goes on working')}
        hint={t('Long enough to put the new key wherever the old one is used.')}
        value={overlapSeconds}
        onChange={(event) => setOverlap(Number(event.currentTarget.value))}
      >
        {overlaps.map(({ seconds, label }) => (
          <option key={seconds} value={seconds}>
            {label}
          </option>
        ))}
      </Select>
      {isOwn && (
        <Notice tone="warn">
          <p>{t('You are signed in with the old key. When it ends, you sign in again with the new one.')}</p>
        </Notice>
      )}
    </ConfirmAction>
  );
}

/** Asks whether to end a key at once. */
export function RevokeKey({
  target,
  onClose,
  onDone,
}: {
  target: Key;
  onClose: () => void;
  onDone: () => void;
}) {
  const isOwn = target.keyId === session.value?.key_id;
  const revoke = useAction(async () => {
    await rpc.auth.revokeKey({ keyId: target.keyId });
    if (isOwn) await checkSession();
  });
  return (
    <ConfirmAction
      title={t('Revoke a key of {memberHandle}', { memberHandle: target.memberHandle })}
      confirm={t('Revoke key')}
      action={revoke}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        {t(
          'Whatever uses the key {keyId} is refused within 5 seconds, and browsers that signed in with it are signed out. What was written with it stays. This cannot be undone.',
          { keyId: <code>{target.keyId}</code> },
        )}
      </p>
      {isOwn && (
        <Notice tone="warn">
          <p>{t('You are signed in with this key: you will be signed out.')}</p>
        </Notice>
      )}
    </ConfirmAction>
  );
}
