import { timestampDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Key, Member } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Access } from '@teammemory/proto/common/v1/access_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Command } from '../../components/copy.tsx';
import { ConfirmAction, Dialog, FormDialog } from '../../components/dialog.tsx';
import { Field, Select } from '../../components/field.tsx';
import { Notice } from '../../components/problem-notice.tsx';
import { When } from '../../components/time.tsx';
import { useAction } from '../../data/use-action.ts';
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
    <FormDialog title="New key" submit="Make key" action={create} onClose={onClose}>
      <Select
        label="Member"
        hint="Whatever is done with the key is done in this name."
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
        <Select label="Expires" value={days} onChange={(event) => setDays(event.currentTarget.value)}>
          <option value="7">In 7 days</option>
          <option value="30">In 30 days</option>
          <option value="90">In 90 days</option>
          <option value="365">In a year</option>
          <option value="">Never</option>
        </Select>
        <Field
          label="Item writes a minute"
          type="number"
          min={1}
          max={1_000_000}
          placeholder="as every key"
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
      label="What it sees"
      hint={
        tier === Tier.TEAM
          ? 'Everything of the team, spending and readiness as well.'
          : 'Only what the team marked for guests, and no sign of anything else.'
      }
      value={tier}
      onChange={(event) => onChange(Number(event.currentTarget.value) as Tier)}
    >
      <option value={Tier.TEAM}>Team</option>
      <option value={Tier.EXTERNAL}>Guest (external)</option>
    </Select>
  );
}

/** What a key with an access may do. */
const accessHints: Readonly<Record<number, string>> = {
  [Access.READ]: 'It pulls and asks, and changes nothing: right for an agent that only reads.',
  [Access.OWN]: 'It adds items, and changes and removes those that its member wrote last.',
  [Access.WRITE]: 'It changes and removes everything that it sees.',
};

/** A choice of what a key may do, with a sentence on the choice made. */
export function AccessSelect({ access, onChange }: { access: Access; onChange: (access: Access) => void }) {
  return (
    <Select
      label="What it may do"
      hint={accessHints[access]}
      value={access}
      onChange={(event) => onChange(Number(event.currentTarget.value) as Access)}
    >
      <option value={Access.READ}>Read</option>
      <option value={Access.OWN}>Own: read, and write own items</option>
      <option value={Access.WRITE}>Write</option>
    </Select>
  );
}

/** Shows a key that was just made, once. */
export function ShowKey({ made, onClose }: { made: MadeKey; onClose: () => void }) {
  const end = made.replaced?.expiresAt;
  return (
    <Dialog
      title={`Key of ${made.member}`}
      actions={
        <Button kind="primary" onClick={onClose}>
          I have copied it
        </Button>
      }
    >
      <Notice tone="warn">
        <p>This key is shown only now; the service keeps no copy of it. Hand it over by a safe way.</p>
      </Notice>
      <Command text={made.text} />
      {end !== undefined && (
        <p>
          The old key <code>{made.replaced?.keyId}</code> ends <When at={timestampDate(end)} />.
        </p>
      )}
      <p class={styles.muted}>
        <code>{`tms login --url ${location.origin} --team ${session.value?.team}`}</code> asks its holder for
        the key and sets up a computer; <code>tms open</code> then opens this dashboard.
      </p>
    </Dialog>
  );
}

const overlaps = [
  { seconds: 0, label: 'Not at all: it ends now' },
  { seconds: hourSeconds, label: 'An hour' },
  { seconds: 24 * hourSeconds, label: 'A day' },
  { seconds: 7 * 24 * hourSeconds, label: '7 days' },
  { seconds: 30 * 24 * hourSeconds, label: '30 days' },
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
      title={`Replace a key of ${target.memberHandle}`}
      confirm="Replace key"
      isDanger={false}
      action={rotate}
      onClose={onClose}
    >
      <p>
        A new key of the same member, tier, access and limit takes the place of <code>{target.keyId}</code>.
        It lives as long as the old one was made for.
      </p>
      <Select
        label="How long the old key goes on working"
        hint="Long enough to put the new key wherever the old one is used."
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
          <p>You are signed in with the old key. When it ends, you sign in again with the new one.</p>
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
      title={`Revoke a key of ${target.memberHandle}`}
      confirm="Revoke key"
      action={revoke}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        Whatever uses the key <code>{target.keyId}</code> is refused within 5 seconds, and browsers that
        signed in with it are signed out. What was written with it stays. This cannot be undone.
      </p>
      {isOwn && (
        <Notice tone="warn">
          <p>You are signed in with this key: you will be signed out.</p>
        </Notice>
      )}
    </ConfirmAction>
  );
}
