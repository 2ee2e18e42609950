import { timestampDate } from '@bufbuild/protobuf/wkt';
import { type Key, type Member, MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmAction, FormDialog } from '../../components/dialog.tsx';
import { Field, Select } from '../../components/field.tsx';
import { Table } from '../../components/table.tsx';
import { When } from '../../components/time.tsx';
import { useAction } from '../../data/use-action.ts';
import { plural, t } from '../../language/language.ts';
import { rpc } from '../../service/rpc.ts';
import { checkSession, session } from '../../service/session.ts';
import { isValid, ownTeam } from './team-data.ts';
import styles from './team-page.module.css';

interface Asked {
  act: 'role' | 'remove';
  member: Member;
}

/** The members with their roles, and what an administrator does with them. */
export function Members({
  members,
  keys,
  onChange,
}: {
  members: readonly Member[];
  keys: readonly Key[];
  onChange: () => void;
}) {
  const [asked, setAsked] = useState<Asked>();
  const [isAdding, setAdding] = useState(false);
  const now = Date.now();
  const validKeys = ({ handle }: Member) =>
    keys.filter((key) => key.memberHandle === handle && isValid(key, now)).length;
  const done = () => {
    setAsked(undefined);
    onChange();
  };
  return (
    <Card
      title={plural(members.length, '1 member', '{count} members')}
      isFlush
      actions={
        <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
          {t('Add member')}
        </Button>
      }
    >
      <Table
        caption={t('Members of the team')}
        rows={members}
        keyOf={({ memberId }) => memberId}
        columns={[
          { heading: t('Member'), cell: (member) => <Name member={member} /> },
          { heading: t('Role'), cell: ({ role }) => <RoleBadge role={role} /> },
          {
            heading: t('Valid keys'),
            isNumber: true,
            cell: (member) => (
              <Link href={`/team?view=keys&member=${encodeURIComponent(member.handle)}`}>
                {validKeys(member)}
                <span class="visually-hidden">{t('valid keys of {handle}', { handle: member.handle })}</span>
              </Link>
            ),
          },
          {
            heading: t('Member since'),
            cell: ({ createdAt }) => createdAt && <When at={timestampDate(createdAt)} />,
          },
          {
            heading: t('Actions'),
            isHeadingHidden: true,
            cell: (member) => (
              <div class={styles.acts}>
                <Button kind="quiet" onClick={() => setAsked({ act: 'role', member })}>
                  {member.role === MemberRole.ADMIN ? t('Make member') : t('Make administrator')}
                  <span class="visually-hidden">: {member.handle}</span>
                </Button>
                <Button kind="quiet" onClick={() => setAsked({ act: 'remove', member })}>
                  {t('Remove')}
                  <span class="visually-hidden"> {member.handle}</span>
                </Button>
              </div>
            ),
          },
        ]}
      />
      {isAdding && <AddMember onClose={() => setAdding(false)} onDone={onChange} />}
      {asked?.act === 'role' && (
        <ChangeRole member={asked.member} onClose={() => setAsked(undefined)} onDone={done} />
      )}
      {asked?.act === 'remove' && (
        <RemoveMember
          member={asked.member}
          validKeys={validKeys(asked.member)}
          onClose={() => setAsked(undefined)}
          onDone={done}
        />
      )}
    </Card>
  );
}

function Name({ member: { handle } }: { member: Member }) {
  return (
    <span class={styles.name}>
      <strong>{handle}</strong>
      {handle === session.value?.member && <Badge tone="accent">{t('You')}</Badge>}
    </span>
  );
}

/** What a member may do, in a word. */
export function RoleBadge({ role }: { role: MemberRole }) {
  return role === MemberRole.ADMIN ? (
    <Badge tone="good">{t('Administrator')}</Badge>
  ) : (
    <Badge>{t('Member')}</Badge>
  );
}

function AddMember({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [handle, setHandle] = useState('');
  const [role, setRole] = useState<MemberRole>(MemberRole.MEMBER);
  const add = useAction(() => rpc.auth.addMember({ teamSlug: ownTeam(), handle: handle.trim(), role }));
  const close = () => {
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title={t('Add member')}
      submit={t('Add member')}
      action={add}
      onDone={close}
      onClose={onClose}
    >
      <Field
        label={t('Handle')}
        hint={t(
          '1 to 64 of a–z, 0–9, dot, underscore and hyphen. It never changes, and everything the member writes carries it.',
        )}
        value={handle}
        required
        maxLength={64}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => setHandle(event.currentTarget.value)}
      />
      <RoleSelect
        role={role}
        hint={t(
          'Administrators add and remove members and make keys. A member needs a key before anything else; make one under Keys, or invite the person instead.',
        )}
        onChange={setRole}
      />
    </FormDialog>
  );
}

/** Chooses the role of a member. */
export function RoleSelect({
  role,
  hint,
  onChange,
}: {
  role: MemberRole;
  hint: string;
  onChange: (role: MemberRole) => void;
}) {
  return (
    <Select
      label={t('Role')}
      hint={hint}
      value={role}
      onChange={(event) => onChange(Number(event.currentTarget.value) as MemberRole)}
    >
      <option value={MemberRole.MEMBER}>{t('Member')}</option>
      <option value={MemberRole.ADMIN}>{t('Administrator')}</option>
    </Select>
  );
}

interface MemberDialog {
  member: Member;
  onClose: () => void;
  onDone: () => void;
}

function ChangeRole({ member: { handle, role }, onClose, onDone }: MemberDialog) {
  const isAdmin = role === MemberRole.ADMIN;
  const isOwn = handle === session.value?.member;
  const change = useAction(async () => {
    const next = isAdmin ? MemberRole.MEMBER : MemberRole.ADMIN;
    await rpc.auth.setMemberRole({ teamSlug: ownTeam(), handle, role: next });
    if (isOwn) await checkSession();
  });
  return (
    <ConfirmAction
      title={
        isAdmin ? t('Make {handle} a member', { handle }) : t('Make {handle} an administrator', { handle })
      }
      confirm={isAdmin ? t('Make member') : t('Make administrator')}
      isDanger={isAdmin}
      action={change}
      onDone={onDone}
      onClose={onClose}
    >
      {isAdmin ? (
        <p>
          {isOwn
            ? t('You will no longer add or remove members, make or revoke keys, or open this page.')
            : t('{handle} will no longer add or remove members, make or revoke keys, or open this page.', {
                handle,
              })}{' '}
          {t('Keys and everything written stay. It takes effect within 5 seconds.')}
        </p>
      ) : (
        <p>
          {t(
            '{handle} will add and remove members, make, replace and revoke everybody’s keys, and decide who signs in with which address. It takes effect within 5 seconds.',
            { handle },
          )}
        </p>
      )}
    </ConfirmAction>
  );
}

function RemoveMember({
  member: { handle },
  validKeys,
  onClose,
  onDone,
}: MemberDialog & { validKeys: number }) {
  const remove = useAction(() => rpc.auth.removeMember({ teamSlug: ownTeam(), handle }));

  return (
    <ConfirmAction
      title={t('Remove {handle}', { handle })}
      confirm={t('Remove member')}
      action={remove}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        {validKeys === 0
          ? t('The sign-in addresses of {handle} stop working within 5 seconds.', { handle })
          : plural(
              validKeys,
              'The valid key and the sign-in addresses of {handle} stop working within 5 seconds.',
              'The {count} valid keys and the sign-in addresses of {handle} stop working within 5 seconds.',
              { handle },
            )}{' '}
        {t('Every browser of {handle} is signed out. This cannot be undone.', { handle })}
      </p>
      <p>
        {t('What {handle} wrote stays. The handle becomes free; whoever gets it next is another member.', {
          handle,
        })}{' '}
        {handle === session.value?.member && t('This is you: you will be signed out.')}
      </p>
    </ConfirmAction>
  );
}
