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
import { plural, t } from '../../language/language.ts';
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
      title={plural(valid.length, '1 valid key', '{count} valid keys')}
      isFlush
      actions={
        <Button kind="primary" icon="plus" onClick={() => setOpen({ dialog: 'create' })}>
          {t('New key')}
        </Button>
      }
    >
      <div class={styles.filter}>
        <Select label={t('Keys of')} value={member} onChange={(event) => filter(event.currentTarget.value)}>
          <option value="">{t('everybody')}</option>
          {handlesOf(members, keys).map((handle) => (
            <option key={handle} value={handle}>
              {handle}
            </option>
          ))}
        </Select>
      </div>
      {valid.length === 0 ? (
        <p class={styles.empty}>{t('No key works here. Make one, so that somebody can begin.')}</p>
      ) : (
        <KeyTable
          caption={t('Valid keys')}
          keys={valid}
          now={now}
          onAct={(dialog, target) => setOpen({ dialog, target })}
        />
      )}
      {ended.length > 0 && (
        <details class={styles.ended}>
          <summary>
            {plural(ended.length, '1 key expired or revoked', '{count} keys expired or revoked')}
          </summary>
          <KeyTable caption={t('Expired and revoked keys')} keys={ended} now={now} />
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
  [Access.READ]: t('Read'),
  [Access.PROPOSE]: t('Proposals'),
  [Access.OWN]: t('Own items'),
  [Access.WRITE]: t('Write'),
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
    { heading: t('Key'), cell: (key) => <KeyName target={key} /> },
    { heading: t('Member'), cell: ({ memberHandle }) => memberHandle },
    { heading: t('Opens'), cell: (key) => <Opens target={key} /> },
    {
      heading: t('Last used'),
      cell: ({ lastUsedAt }) =>
        lastUsedAt === undefined ? (
          <span class={styles.muted}>{t('never')}</span>
        ) : (
          <When at={timestampDate(lastUsedAt)} />
        ),
    },
    { heading: onAct === undefined ? t('Ended') : t('Ends'), cell: (key) => <End target={key} now={now} /> },
  ];
  if (onAct !== undefined) {
    columns.push({
      heading: t('Actions'),
      isHeadingHidden: true,
      cell: (key) => (
        <div class={styles.acts}>
          {mayReplace && !key.forSignIn && key.clientId === '' && (
            <Button kind="quiet" onClick={() => onAct('rotate', key)}>
              {t('Replace')}
              <span class="visually-hidden"> {t('key {id}', { id: key.keyId })}</span>
            </Button>
          )}
          <Button kind="quiet" onClick={() => onAct('revoke', key)}>
            {t('Revoke')}
            <span class="visually-hidden"> {t('key {id}', { id: key.keyId })}</span>
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
          {plural(Math.min(shownAtOnce, keys.length - shown), 'Show 1 more', 'Show {count} more')}
        </Button>
      )}
    </>
  );
}

function KeyName({ target: { keyId, createdAt, forSignIn, clientId } }: { target: Key }) {
  return (
    <div>
      <span class={styles.name}>
        <span class={styles.key}>{keyId}</span>
        {keyId === session.value?.key_id && <Badge tone="accent">{t('In use here')}</Badge>}
        {forSignIn && <Badge>{t('Sign-in')}</Badge>}
        {clientId !== '' && <Badge>{t('Connected app')}</Badge>}
      </span>
      {clientId !== '' && <p class={styles.muted}>{URL.parse(clientId)?.host ?? clientId}</p>}
      {createdAt !== undefined && (
        <p class={styles.muted}>{t('made {when}', { when: <When at={timestampDate(createdAt)} /> })}</p>
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
      {tier === Tier.EXTERNAL ? <Badge tone="guest">{t('Guest')}</Badge> : <Badge>{t('Team')}</Badge>}
      <Badge tone={access === Access.WRITE ? 'accent' : 'neutral'}>{accessWords[access] ?? t('Write')}</Badge>
      {itemWritesPerMinute !== undefined && (
        <Badge>{t('{count} a minute', { count: itemWritesPerMinute })}</Badge>
      )}
    </span>
  );
}

function End({ target, now }: { target: Key; now: number }) {
  const { expiresAt, revokedAt } = target;
  if (revokedAt !== undefined) {
    return (
      <span class={styles.name}>
        <Badge tone="bad">{t('Revoked')}</Badge> <When at={timestampDate(revokedAt)} />
      </span>
    );
  }
  if (expiresAt === undefined) return <span class={styles.muted}>{t('never')}</span>;
  const when = <When at={timestampDate(expiresAt)} />;
  const state = stateOf(target, now);
  if (state === 'valid') return when;
  return (
    <span class={styles.name}>
      {state === 'expired' ? <Badge>{t('Expired')}</Badge> : <Badge tone="warn">{t('Soon')}</Badge>} {when}
    </span>
  );
}
