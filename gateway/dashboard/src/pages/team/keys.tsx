import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Key, Member } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Access } from '@teammemory/proto/common/v1/access_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Select } from '../../components/field.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { When } from '../../components/time.tsx';
import { session } from '../../service/session.ts';
import { CreateKey, type MadeKey, RevokeKey, RotateKey, ShowKey } from './key-dialogs.tsx';
import { isValid, stateOf } from './team-data.ts';
import styles from './team-page.module.css';

/** Keys that are shown at first, and with every "Show more". */
const shownAtOnce = 100;

type Open =
  | { dialog: 'create' }
  | { dialog: 'show'; made: MadeKey }
  | { dialog: 'rotate' | 'revoke'; target: Key };

/** The keys of the team: those that work, and folded away those that do not any more. */
export function Keys({
  members,
  keys,
  onChange,
}: {
  members: readonly Member[];
  keys: readonly Key[];
  onChange: () => void;
}) {
  const [parameters, setParameters] = useSearchParams();
  const member = parameters.get('member') ?? '';
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const show = (made: MadeKey) => {
    setOpen({ dialog: 'show', made });
    onChange();
  };
  const now = Date.now();
  const chosen = keys.filter(({ memberHandle }) => member === '' || memberHandle === member);
  const valid = chosen.filter((key) => isValid(key, now));
  const ended = chosen.filter((key) => !isValid(key, now));
  const filter = (handle: string) =>
    setParameters(
      handle === ''
        ? [['view', 'keys']]
        : [
            ['view', 'keys'],
            ['member', handle],
          ],
      { replace: true },
    );
  return (
    <Card
      title={valid.length === 1 ? '1 valid key' : `${valid.length.toLocaleString()} valid keys`}
      isFlush
      actions={
        <Button kind="primary" icon="plus" onClick={() => setOpen({ dialog: 'create' })}>
          New key
        </Button>
      }
    >
      <div class={styles.filter}>
        <Select label="Keys of" value={member} onChange={(event) => filter(event.currentTarget.value)}>
          <option value="">everybody</option>
          {handlesOf(members, keys).map((handle) => (
            <option key={handle} value={handle}>
              {handle}
            </option>
          ))}
        </Select>
      </div>
      {valid.length === 0 ? (
        <p class={styles.empty}>No key works here. Make one, so that somebody can begin.</p>
      ) : (
        <KeyTable
          caption="Valid keys"
          keys={valid}
          now={now}
          onAct={(dialog, target) => setOpen({ dialog, target })}
        />
      )}
      {ended.length > 0 && (
        <details class={styles.ended}>
          <summary>
            {ended.length === 1 ? '1 key' : `${ended.length.toLocaleString()} keys`} expired or revoked
          </summary>
          <KeyTable caption="Expired and revoked keys" keys={ended} now={now} />
        </details>
      )}
      {open?.dialog === 'create' && (
        <CreateKey members={members} member={member} onClose={close} onMade={show} />
      )}
      {open?.dialog === 'show' && <ShowKey made={open.made} onClose={close} />}
      {open?.dialog === 'rotate' && <RotateKey target={open.target} onClose={close} onMade={show} />}
      {open?.dialog === 'revoke' && (
        <RevokeKey
          target={open.target}
          onClose={close}
          onDone={() => {
            close();
            onChange();
          }}
        />
      )}
    </Card>
  );
}

/** Members, and those who were removed but have keys on the list. */
function handlesOf(members: readonly Member[], keys: readonly Key[]): string[] {
  const handles = new Set([
    ...members.map(({ handle }) => handle),
    ...keys.map(({ memberHandle }) => memberHandle),
  ]);
  return [...handles].sort();
}

const accessWords: Readonly<Record<number, string>> = {
  [Access.READ]: 'Read',
  [Access.OWN]: 'Own items',
  [Access.WRITE]: 'Write',
};

/** Keys in a table, with what the viewer may do to them. */
export function KeyTable({
  caption,
  keys,
  now,
  mayReplace = true,
  onAct,
}: {
  caption: string;
  keys: readonly Key[];
  now: number;
  mayReplace?: boolean;
  onAct?: (dialog: 'rotate' | 'revoke', target: Key) => void;
}) {
  const [shown, setShown] = useState(shownAtOnce);
  const columns: Column<Key>[] = [
    { heading: 'Key', cell: (key) => <KeyName target={key} /> },
    { heading: 'Member', cell: ({ memberHandle }) => memberHandle },
    { heading: 'Opens', cell: (key) => <Opens target={key} /> },
    {
      heading: 'Last used',
      cell: ({ lastUsedAt }) =>
        lastUsedAt === undefined ? (
          <span class={styles.muted}>never</span>
        ) : (
          <When at={timestampDate(lastUsedAt)} />
        ),
    },
    { heading: onAct === undefined ? 'Ended' : 'Ends', cell: (key) => <End target={key} now={now} /> },
  ];
  if (onAct !== undefined) {
    columns.push({
      heading: 'Actions',
      isHeadingHidden: true,
      cell: (key) => (
        <div class={styles.acts}>
          {mayReplace && !key.forSignIn && (
            <Button kind="quiet" onClick={() => onAct('rotate', key)}>
              Replace<span class="visually-hidden"> key {key.keyId}</span>
            </Button>
          )}
          <Button kind="quiet" onClick={() => onAct('revoke', key)}>
            Revoke<span class="visually-hidden"> key {key.keyId}</span>
          </Button>
        </div>
      ),
    });
  }
  return (
    <>
      <Table caption={caption} rows={keys.slice(0, shown)} keyOf={({ keyId }) => keyId} columns={columns} />
      {shown < keys.length && (
        <Button kind="quiet" onClick={() => setShown(shown + shownAtOnce)}>
          Show {Math.min(shownAtOnce, keys.length - shown)} more
        </Button>
      )}
    </>
  );
}

function KeyName({ target: { keyId, createdAt, forSignIn } }: { target: Key }) {
  return (
    <div>
      <span class={styles.name}>
        <span class={styles.key}>{keyId}</span>
        {keyId === session.value?.key_id && <Badge tone="accent">In use here</Badge>}
        {forSignIn && <Badge>Sign-in</Badge>}
      </span>
      {createdAt !== undefined && (
        <p class={styles.muted}>
          made <When at={timestampDate(createdAt)} />
        </p>
      )}
    </div>
  );
}

/** What a key opens: its tier, its access, and its own limit if it has one. */
export function Opens({
  target: { tier, access, itemWritesPerMinute },
}: {
  target: Pick<Key, 'tier' | 'access' | 'itemWritesPerMinute'>;
}) {
  return (
    <span class={styles.badges}>
      {tier === Tier.EXTERNAL ? <Badge tone="guest">Guest</Badge> : <Badge>Team</Badge>}
      <Badge tone={access === Access.WRITE ? 'accent' : 'neutral'}>{accessWords[access] ?? 'Write'}</Badge>
      {itemWritesPerMinute !== undefined && <Badge>{itemWritesPerMinute.toLocaleString()} a minute</Badge>}
    </span>
  );
}

function End({ target, now }: { target: Key; now: number }) {
  const { expiresAt, revokedAt } = target;
  if (revokedAt !== undefined) {
    return (
      <span class={styles.name}>
        <Badge tone="bad">Revoked</Badge> <When at={timestampDate(revokedAt)} />
      </span>
    );
  }
  if (expiresAt === undefined) return <span class={styles.muted}>never</span>;
  const when = <When at={timestampDate(expiresAt)} />;
  const state = stateOf(target, now);
  if (state === 'valid') return when;
  return (
    <span class={styles.name}>
      {state === 'expired' ? <Badge>Expired</Badge> : <Badge tone="warn">Soon</Badge>} {when}
    </span>
  );
}
