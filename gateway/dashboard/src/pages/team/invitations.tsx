import { timestampDate } from '@bufbuild/protobuf/wkt';
import { type Invitation, MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Access } from '@teammemory/proto/common/v1/access_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmAction, FormDialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Table } from '../../components/table.tsx';
import { When } from '../../components/time.tsx';
import { useAction } from '../../data/use-action.ts';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import { rpc } from '../../service/rpc.ts';
import { AccessSelect, TierSelect } from './key-dialogs.tsx';
import { Opens } from './keys.tsx';
import { RoleBadge, RoleSelect } from './members.tsx';
import { loadInvitations, ownTeam } from './team-data.ts';
import styles from './team-page.module.css';

/** An invitation that was just made; its token exists nowhere else. */
interface Made {
  token: string;
  expiresAt: Date | undefined;
}

/** The links with which people may still join, and what an administrator does with them. */
export function Invitations() {
  const { value: invitations, problem, reload } = useRequest(loadInvitations, []);
  const [isInviting, setInviting] = useState(false);
  const [made, setMade] = useState<Made>();
  const [revoked, setRevoked] = useState<Invitation>();
  if (invitations === undefined) {
    return problem === undefined ? (
      <Skeleton lines={4} />
    ) : (
      <ProblemNotice problem={problem} onRetry={reload} />
    );
  }
  const invite = (
    <Button kind="primary" icon="plus" onClick={() => setInviting(true)}>
      {t('Invite somebody')}
    </Button>
  );
  return (
    <>
      {invitations.length === 0 ? (
        <EmptyState icon="team" title={t('No invitation is open')} action={invite}>
          {t(
            'An invitation is a link for one person. Whoever opens it chooses a name, is signed in and gets a key.',
          )}
        </EmptyState>
      ) : (
        <Card title={t('Open invitations')} isFlush actions={invite}>
          <InvitationTable invitations={invitations} onRevoke={setRevoked} />
        </Card>
      )}
      {isInviting && (
        <Invite
          onClose={() => setInviting(false)}
          onMade={(next) => {
            setInviting(false);
            setMade(next);
            reload();
          }}
        />
      )}
      {made !== undefined && <ShowLink made={made} onClose={() => setMade(undefined)} />}
      {revoked !== undefined && (
        <Revoke
          target={revoked}
          onClose={() => setRevoked(undefined)}
          onDone={() => {
            setRevoked(undefined);
            reload();
          }}
        />
      )}
    </>
  );
}

function InvitationTable({
  invitations,
  onRevoke,
}: {
  invitations: readonly Invitation[];
  onRevoke: (target: Invitation) => void;
}) {
  return (
    <Table
      caption={t('Invitations that somebody may still take')}
      rows={invitations}
      keyOf={({ invitationId }) => invitationId}
      columns={[
        {
          heading: t('Invitation'),
          cell: ({ invitationId }) => <span class={styles.key}>{invitationId}</span>,
        },
        { heading: t('Role'), cell: ({ role }) => <RoleBadge role={role} /> },
        { heading: t('Opens'), cell: (row) => <Opens target={row} /> },
        { heading: t('Made by'), cell: ({ madeBy }) => madeBy },
        {
          heading: t('Ends'),
          cell: ({ expiresAt }) => expiresAt && <When at={timestampDate(expiresAt)} />,
        },
        {
          heading: t('Actions'),
          isHeadingHidden: true,
          cell: (row) => (
            <div class={styles.acts}>
              <Button kind="quiet" onClick={() => onRevoke(row)}>
                {' '}
                {t('Revoke')}
                <span class="visually-hidden"> {t('invitation {id}', { id: row.invitationId })}</span>
              </Button>
            </div>
          ),
        },
      ]}
    />
  );
}

function Invite({ onClose, onMade }: { onClose: () => void; onMade: (made: Made) => void }) {
  const [tier, setTier] = useState<Tier>(Tier.TEAM);
  const [access, setAccess] = useState<Access>(Access.WRITE);
  const [wantedRole, setRole] = useState<MemberRole>(MemberRole.MEMBER);
  const mayAdminister = tier === Tier.TEAM && access === Access.WRITE;
  const role = mayAdminister ? wantedRole : MemberRole.MEMBER;
  const invite = useAction(async () => {
    const wanted = { teamSlug: ownTeam(), role, tier, access };
    const { invitation, invitationToken } = await rpc.auth.createInvitation(wanted);
    const expiresAt = invitation?.expiresAt && timestampDate(invitation.expiresAt);
    onMade({ token: invitationToken, expiresAt });
  });
  const changeTier = (next: Tier) => {
    setTier(next);
    setAccess(next === Tier.TEAM ? Access.WRITE : Access.OWN);
  };
  return (
    <FormDialog title={t('Invite somebody')} submit={t('Make link')} action={invite} onClose={onClose}>
      <p>{t('The link works once, for seven days. Whoever opens it chooses a name and gets a key:')}</p>
      <TierSelect tier={tier} onChange={changeTier} />
      <AccessSelect access={access} onChange={setAccess} />
      {mayAdminister && (
        <RoleSelect
          role={role}
          hint={t('Administrators add, invite and remove members, and make keys.')}
          onChange={setRole}
        />
      )}
    </FormDialog>
  );
}

/** Shows the link of an invitation that was just made, once. */
function ShowLink({ made: { token, expiresAt }, onClose }: { made: Made; onClose: () => void }) {
  return (
    <ShownOnce
      title={t('The link of the invitation')}
      warning={t(
        'This link is shown only now. Whoever opens it first joins {team}: send it to one person, by a safe way.',
        { team: ownTeam() },
      )}
      secret={`${location.origin}/invitation#${token}`}
      onClose={onClose}
    >
      {expiresAt !== undefined && (
        <p>
          {t(
            'It ends {when}, or at once when you revoke it, your key is revoked, or you are no administrator any more.',
            { when: <When at={expiresAt} /> },
          )}
        </p>
      )}
    </ShownOnce>
  );
}

function Revoke({
  target: { invitationId, madeBy },
  onClose,
  onDone,
}: {
  target: Invitation;
  onClose: () => void;
  onDone: () => void;
}) {
  const revoke = useAction(() => rpc.auth.revokeInvitation({ teamSlug: ownTeam(), invitationId }));
  return (
    <ConfirmAction
      title={t('Revoke an invitation')}
      confirm={t('Revoke invitation')}
      action={revoke}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        {t(
          'Nobody joins any more with the link {invitationId} that {madeBy} made. Whoever joined with another link stays.',
          { invitationId: <code>{invitationId}</code>, madeBy },
        )}
      </p>
    </ConfirmAction>
  );
}
