import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Member, SignInAddress } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmAction, FormDialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Field, Select } from '../../components/field.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Table } from '../../components/table.tsx';
import { When } from '../../components/time.tsx';
import { useAction } from '../../data/use-action.ts';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import { rpc } from '../../service/rpc.ts';
import { loadAddresses, ownTeam } from './team-data.ts';
import styles from './team-page.module.css';

/** Which member signs in with which mail address, where the organisation has an identity provider. */
export function Addresses({ members }: { members: readonly Member[] }) {
  const { value: addresses, problem, reload } = useRequest(loadAddresses, []);
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<SignInAddress>();
  if (addresses === undefined) {
    return problem === undefined ? (
      <Skeleton lines={4} />
    ) : (
      <ProblemNotice problem={problem} onRetry={reload} />
    );
  }
  const close = () => {
    setAdding(false);
    setRemoved(undefined);
  };
  const done = () => {
    close();
    reload();
  };
  const add = (
    <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
      {t('Add address')}
    </Button>
  );
  return (
    <>
      {addresses.length === 0 ? (
        <EmptyState icon="key" title={t('Nobody signs in with an address yet')} action={add}>
          {t(
            'Where the service has an identity provider, a person whose mail address it has verified signs in as the member that this list names.',
          )}
        </EmptyState>
      ) : (
        <Card title={t('Sign-in addresses')} isFlush actions={add}>
          <Table
            caption={t('Addresses of members')}
            rows={addresses}
            keyOf={({ address }) => address}
            columns={[
              { heading: t('Address'), cell: ({ address }) => address },
              { heading: t('Signs in as'), cell: ({ memberHandle }) => <strong>{memberHandle}</strong> },
              {
                heading: t('Added'),
                cell: ({ createdAt }) => createdAt && <When at={timestampDate(createdAt)} />,
              },
              {
                heading: t('Actions'),
                isHeadingHidden: true,
                cell: (row) => (
                  <div class={styles.acts}>
                    <Button kind="quiet" onClick={() => setRemoved(row)}>
                      {t('Remove')}
                      <span class="visually-hidden"> {row.address}</span>
                    </Button>
                  </div>
                ),
              },
            ]}
          />
        </Card>
      )}
      {isAdding && <AddAddress members={members} onClose={close} onDone={done} />}
      {removed !== undefined && <RemoveAddress target={removed} onClose={close} onDone={done} />}
    </>
  );
}

interface Closing {
  onClose: () => void;
  onDone: () => void;
}

function AddAddress({ members, onClose, onDone }: Closing & { members: readonly Member[] }) {
  const [address, setAddress] = useState('');
  const [memberHandle, setMember] = useState(members[0]?.handle ?? '');
  const add = useAction(() => rpc.auth.addSignInAddress({ teamSlug: ownTeam(), address, memberHandle }));
  return (
    <FormDialog
      title={t('Add address')}
      submit={t('Add address')}
      action={add}
      onDone={onDone}
      onClose={onClose}
    >
      <Field
        label={t('Mail address')}
        hint={t(
          'Whoever proves to the identity provider to have it signs in as the member below, with everything the team sees.',
        )}
        type="email"
        required
        maxLength={254}
        autocomplete="off"
        value={address}
        onInput={(event) => setAddress(event.currentTarget.value)}
      />
      <Select
        label={t('Signs in as')}
        value={memberHandle}
        onChange={(event) => setMember(event.currentTarget.value)}
      >
        {members.map(({ handle }) => (
          <option key={handle} value={handle}>
            {handle}
          </option>
        ))}
      </Select>
    </FormDialog>
  );
}

function RemoveAddress({ target, onClose, onDone }: Closing & { target: SignInAddress }) {
  const { address, memberHandle } = target;
  const remove = useAction(() => rpc.auth.removeSignInAddress({ teamSlug: ownTeam(), address }));
  return (
    <ConfirmAction
      title={t('Remove address')}
      confirm={t('Remove address')}
      action={remove}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        {t(
          'Nobody signs in with {address} any more. Browsers that did go on until their session ends; revoke the sign-in keys of {memberHandle} to end them now.',
          { address: <strong>{address}</strong>, memberHandle },
        )}
      </p>
    </ConfirmAction>
  );
}
