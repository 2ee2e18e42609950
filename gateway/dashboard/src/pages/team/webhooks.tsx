import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import {
  FeedList,
  type Webhook,
  type WebhookDelivery,
  WebhookOffReason,
} from '@teammemory/proto/content/v1/content_pb.ts';
import { useState } from 'preact/hooks';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmAction, Dialog, FormDialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Field, Select } from '../../components/field.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { When } from '../../components/time.tsx';
import { useAction } from '../../data/use-action.ts';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import { rpc } from '../../service/rpc.ts';
import styles from './team-page.module.css';

type Open =
  | { dialog: 'add' }
  | { dialog: 'secret'; secret: string }
  | { dialog: 'deliveries' | 'test' | 'switch' | 'remove'; target: Webhook };

/** The programs that are called when something changes: how the last delivery went, and a test event for each. */
export function Webhooks() {
  const { value, problem, reload } = useRequest((signal) => rpc.content.listWebhooks({}, { signal }), []);
  const [open, setOpen] = useState<Open>();
  if (value === undefined) {
    return problem === undefined ? (
      <Skeleton lines={4} />
    ) : (
      <ProblemNotice problem={problem} onRetry={reload} />
    );
  }
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    reload();
  };
  const add = (
    <Button kind="primary" icon="plus" onClick={() => setOpen({ dialog: 'add' })}>
      {t('Add webhook')}
    </Button>
  );
  return (
    <>
      {value.webhooks.length === 0 ? (
        <EmptyState icon="send" title={t('No program is called yet')} action={add}>
          {t('A webhook calls a program of yours when items, tasks or decisions change.')}
        </EmptyState>
      ) : (
        <Card title={t('Webhooks')} isFlush actions={add}>
          <ProblemNotice problem={problem} onRetry={reload} />
          <Table
            caption={t('Webhooks of the team')}
            rows={value.webhooks}
            keyOf={({ webhookId }) => webhookId}
            columns={[
              { heading: t('Calls'), cell: (webhook) => <Target target={webhook} /> },
              { heading: t('Last delivery'), cell: (webhook) => <LastDelivery target={webhook} /> },
              { heading: t('State'), cell: (webhook) => <State target={webhook} /> },
              {
                heading: t('Actions'),
                isHeadingHidden: true,
                cell: (target) => (
                  <div class={styles.acts}>
                    <Act
                      label={t('Deliveries')}
                      of={target}
                      onAct={() => setOpen({ dialog: 'deliveries', target })}
                    />
                    <Act label={t('Test')} of={target} onAct={() => setOpen({ dialog: 'test', target })} />
                    <Act
                      label={target.offSince === undefined ? t('Switch off') : t('Switch on')}
                      of={target}
                      onAct={() => setOpen({ dialog: 'switch', target })}
                    />
                    <Act
                      label={t('Remove')}
                      of={target}
                      onAct={() => setOpen({ dialog: 'remove', target })}
                    />
                  </div>
                ),
              },
            ]}
          />
        </Card>
      )}
      {open?.dialog === 'add' && (
        <AddWebhook
          onClose={close}
          onMade={(secret) => {
            reload();
            setOpen({ dialog: 'secret', secret });
          }}
        />
      )}
      {open?.dialog === 'secret' && <ShowSecret secret={open.secret} onClose={close} />}
      {open?.dialog === 'deliveries' && <Deliveries target={open.target} onClose={close} />}
      {open?.dialog === 'test' && <TestWebhook target={open.target} onClose={done} />}
      {open?.dialog === 'switch' && <SwitchWebhook target={open.target} onClose={close} onDone={done} />}
      {open?.dialog === 'remove' && <RemoveWebhook target={open.target} onClose={close} onDone={done} />}
    </>
  );
}

function Act({ label, of, onAct }: { label: string; of: Webhook; onAct: () => void }) {
  return (
    <Button kind="quiet" onClick={onAct}>
      {label}
      <span class="visually-hidden"> {of.url}</span>
    </Button>
  );
}

const listWords: Readonly<Record<number, string>> = {
  [FeedList.ITEMS]: t('items'),
  [FeedList.TASKS]: t('tasks'),
  [FeedList.DECISIONS]: t('decisions'),
};

function Target({ target: { url, lists, tier } }: { target: Webhook }) {
  return (
    <div class={styles.detail}>
      {url}
      <p class={styles.muted}>
        {t(tier === Tier.EXTERNAL ? 'when {lists} change, as guests see them' : 'when {lists} change', {
          lists: lists.map((list) => listWords[list]).join(', '),
        })}
      </p>
    </div>
  );
}

function LastDelivery({ target: { lastDeliveryAt, lastError, lastErrorAt } }: { target: Webhook }) {
  return (
    <div class={styles.detail}>
      {lastDeliveryAt === undefined ? (
        <span class={styles.muted}>{t('none yet')}</span>
      ) : (
        <When at={timestampDate(lastDeliveryAt)} />
      )}
      {lastErrorAt !== undefined && (
        <p class={styles.muted}>
          {t('failed {when}: {lastError}', { when: <When at={timestampDate(lastErrorAt)} />, lastError })}
        </p>
      )}
    </div>
  );
}

const offWords: Readonly<Record<number, string>> = {
  [WebhookOffReason.ADMINISTRATOR]: t('Off'),
  [WebhookOffReason.GONE]: t('Off: the receiver is gone'),
  [WebhookOffReason.FAILED]: t('Off: it failed for a day'),
};

function State({ target: { offSince, offReason, failingSince, nextAttemptAt } }: { target: Webhook }) {
  if (offSince !== undefined) {
    return (
      <span class={styles.name}>
        <Badge tone="bad">{offWords[offReason] ?? t('Off')}</Badge> <When at={timestampDate(offSince)} />
      </span>
    );
  }
  if (failingSince === undefined) return <Badge tone="accent">{t('On')}</Badge>;
  return (
    <div>
      {t('<badge>Failing</badge> since {when}', {
        badge: (words) => <Badge tone="warn">{words}</Badge>,
        when: <When at={timestampDate(failingSince)} />,
      })}
      {nextAttemptAt !== undefined && (
        <p class={styles.muted}>
          {t('next attempt {when}', { when: <When at={timestampDate(nextAttemptAt)} /> })}
        </p>
      )}
    </div>
  );
}

function AddWebhook({ onClose, onMade }: { onClose: () => void; onMade: (secret: string) => void }) {
  const [url, setUrl] = useState('');
  const [tier, setTier] = useState<Tier>(Tier.TEAM);
  const [list, setList] = useState<FeedList>(FeedList.UNSPECIFIED);
  const add = useAction(async () => {
    const lists = list === FeedList.UNSPECIFIED ? [] : [list];
    onMade((await rpc.content.createWebhook({ url: url.trim(), tier, lists })).secret);
  });
  return (
    <FormDialog title={t('Add webhook')} submit={t('Add webhook')} action={add} onClose={onClose}>
      <Field
        label={t('Address')}
        hint={t('An https address that does not lead into a private network.')}
        type="url"
        required
        maxLength={2048}
        autocomplete="off"
        value={url}
        onInput={(event) => setUrl(event.currentTarget.value)}
      />
      <Select
        label={t('When these change')}
        value={list}
        onChange={(event) => setList(Number(event.currentTarget.value) as FeedList)}
      >
        <option value={FeedList.UNSPECIFIED}>{t('Items, tasks and decisions')}</option>
        <option value={FeedList.ITEMS}>{t('Items')}</option>
        <option value={FeedList.TASKS}>{t('Tasks')}</option>
        <option value={FeedList.DECISIONS}>{t('Decisions')}</option>
      </Select>
      <Select
        label={t('As seen by')}
        value={tier}
        onChange={(event) => setTier(Number(event.currentTarget.value) as Tier)}
      >
        <option value={Tier.TEAM}>{t('The team')}</option>
        <option value={Tier.EXTERNAL}>{t('Guests (external)')}</option>
      </Select>
    </FormDialog>
  );
}

function ShowSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShownOnce
      title={t('Secret of the webhook')}
      warning={t(
        'The secret is shown only now. Your program checks with it that events are from this service.',
      )}
      secret={secret}
      onClose={onClose}
    />
  );
}

interface TargetDialog {
  target: Webhook;
  onClose: () => void;
}

/** The last events, with how their attempts went. */
function Deliveries({ target: { url, deliveries }, onClose }: TargetDialog) {
  return (
    <Dialog
      title={t('Last deliveries')}
      isWide
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      <p class={styles.detail}>{url}</p>
      {deliveries.length === 0 ? (
        <p>{t('No event has been sent yet. Test events are not kept.')}</p>
      ) : (
        <Table
          caption={t('Events, newest first')}
          rows={deliveries}
          keyOf={({ eventId }) => eventId}
          columns={deliveryColumns}
        />
      )}
    </Dialog>
  );
}

const deliveryColumns: Column<WebhookDelivery>[] = [
  { heading: t('When'), cell: ({ attemptedAt }) => attemptedAt && <When at={timestampDate(attemptedAt)} /> },
  {
    heading: t('How it went'),
    cell: ({ delivered, result }) => (
      <div class={styles.detail}>
        <Badge tone={delivered ? 'accent' : 'bad'}>{delivered ? t('Delivered') : t('Not delivered')}</Badge>{' '}
        {result}
      </div>
    ),
  },
  { heading: t('Attempts'), isNumber: true, cell: ({ attempts }) => attempts },
  {
    heading: t('Event'),
    cell: ({ eventId, list }) => (
      <div>
        {t('{list} changed', { list: listWords[list] })}
        <p class={`${styles.key} ${styles.muted}`}>{eventId}</p>
      </div>
    ),
  },
];

/** Sends an event of type `ping`, and says how that ended. */
function TestWebhook({ target: { webhookId, url }, onClose }: TargetDialog) {
  const { value, problem, reload } = useRequest(() => rpc.content.testWebhook({ webhookId }), []);
  return (
    <Dialog
      title={t('Test event')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      <p class={styles.detail}>{url}</p>
      <ProblemNotice problem={problem} onRetry={reload} />
      <p role="status">
        {value === undefined && problem === undefined && t('Sending an event …')}
        {value !== undefined && (
          <>
            <Badge tone={value.delivered ? 'accent' : 'bad'}>
              {value.delivered ? t('Delivered') : t('Not delivered')}
            </Badge>{' '}
            {value.result}
          </>
        )}
      </p>
    </Dialog>
  );
}

function SwitchWebhook({ target, onClose, onDone }: TargetDialog & { onDone: () => void }) {
  const { webhookId, url } = target;
  const on = target.offSince !== undefined;
  const change = useAction(() => rpc.content.editWebhook({ webhookId, on }));
  const title = on ? t('Switch webhook on') : t('Switch webhook off');
  return (
    <ConfirmAction
      title={title}
      confirm={title}
      isDanger={!on}
      action={change}
      onDone={onDone}
      onClose={onClose}
    >
      <p class={styles.detail}>{url}</p>
      <p>
        {on
          ? t('It goes on where it ended, and tells of what changed since.')
          : t('No event is sent until it is switched on again; then it goes on where it ended.')}
      </p>
    </ConfirmAction>
  );
}

function RemoveWebhook({
  target: { webhookId, url },
  onClose,
  onDone,
}: TargetDialog & { onDone: () => void }) {
  const remove = useAction(() => rpc.content.removeWebhook({ webhookId }));
  return (
    <ConfirmAction
      title={t('Remove webhook')}
      confirm={t('Remove webhook')}
      action={remove}
      onDone={onDone}
      onClose={onClose}
    >
      <p class={styles.detail}>{url}</p>
      <p>{t('It is not called any more. This cannot be undone.')}</p>
    </ConfirmAction>
  );
}
