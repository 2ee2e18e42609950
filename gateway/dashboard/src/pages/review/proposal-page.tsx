import { visibleText } from '@teammemory/vocabulary/visible-text.ts';
import { useState } from 'preact/hooks';
import { Link, useLocation, useParams } from 'wouter-preact';
import { Button } from '../../components/button.tsx';
import { ConfirmGuests } from '../../components/confirm-guests.tsx';
import { FormDialog } from '../../components/dialog.tsx';
import { Difference } from '../../components/difference.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { TextArea } from '../../components/field.tsx';
import { Page } from '../../components/page.tsx';
import { Notice, ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useAction } from '../../data/use-action.ts';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import { textOf } from '../../service/item-text.ts';
import type { Item } from '../../service/items.ts';
import { EditProposal } from './edit-proposal.tsx';
import { DecisionFacts, ItemName, ProposalFacts, StateBadge } from './proposal-facts.tsx';
import { acceptProposal, declineProposal, type OpenProposal, readProposal } from './proposals.ts';
import styles from './review.module.css';

/** Characters of a reason; the service takes no more. */
const maxReasonCharacters = 1_000;

/** One proposal: what it would change, and what becomes of it. */
export default function ProposalPage() {
  const { id = '' } = useParams<{ id: string }>();
  const { value, problem, reload } = useRequest((signal) => readProposal(id, signal), [id]);
  if (problem?.code === 'not_found') {
    return (
      <Page title={t('Proposal')}>
        <EmptyState icon="check" title={t('There is no such proposal')}>
          {t('It may have been withdrawn, or replaced by a newer one. <link>All proposals</link>', {
            link: (words) => <Link href="/review">{words}</Link>,
          })}
        </EmptyState>
      </Page>
    );
  }
  if (value === undefined) {
    return (
      <Page title={t('Proposal')}>
        <ProblemNotice problem={problem} onRetry={reload} />
        {problem === undefined && <Skeleton lines={8} />}
      </Page>
    );
  }
  const { proposal, text } = value;
  return (
    <Page title={proposal.title || t('Proposal')}>
      <p class={styles.head}>
        <ItemName
          proposal={proposal}
          isThere={value.present !== undefined || proposal.state === 'accepted'}
        />
        <StateBadge proposal={proposal} />
      </p>
      <ProposalFacts proposal={proposal} />
      <ProblemNotice problem={problem} onRetry={reload} />
      {text === undefined ? (
        <>
          <DecisionFacts proposal={proposal} />
          <p>
            {t('It is decided, and its text is not kept. <link>All proposals</link>', {
              link: (words) => <Link href="/review">{words}</Link>,
            })}
          </p>
        </>
      ) : (
        <Decide
          key={`${proposal.id} ${value.present?.checksum}`}
          open={value}
          text={text}
          onChanged={reload}
        />
      )}
    </Page>
  );
}

/** What a reviewer accepts: as it was proposed, or as the reviewer edited it. */
interface Edited {
  text: string;
  tier: Item['tier'];
}

function Decide({ open, text, onChanged }: { open: OpenProposal; text: string; onChanged: () => void }) {
  const { proposal, present, isOutdated } = open;
  const [, navigate] = useLocation();
  const [isEditing, setEditing] = useState(false);
  const [isDeclining, setDeclining] = useState(false);
  const [asked, setAsked] = useState<{ edited: Edited | undefined }>();
  const accept = useAction(async (edited: Edited | undefined) => {
    await acceptProposal(open, edited);
    navigate('/review');
  });
  const submit = (edited?: Edited) => {
    const tier = edited?.tier ?? proposal.tier;
    if (tier === 'external' && present?.tier !== 'external') setAsked({ edited });
    else accept.run(edited);
  };
  const isOvertaken = accept.problem?.code === 'conflict';
  return (
    <>
      {isOutdated && (
        <Notice tone="warn">
          <p>
            {present === undefined
              ? t('The note was removed after this was proposed. Accepting makes it anew.')
              : t(
                  'The note was changed after this was proposed. Accepting replaces the present text: compare.',
                )}
          </p>
        </Notice>
      )}
      {isOvertaken ? (
        <Notice tone="warn">
          <p>{t('Somebody has changed the note, or decided, since you opened this. Nothing was stored.')}</p>
          <Button onClick={onChanged}>{t('Look again')}</Button>
        </Notice>
      ) : (
        <ProblemNotice problem={accept.problem} />
      )}
      {isEditing ? (
        <EditProposal
          path={proposal.rowKey}
          start={{ text, tier: proposal.tier }}
          isBusy={accept.isRunning}
          onAccept={submit}
          onLeave={() => setEditing(false)}
        />
      ) : (
        <>
          <div class={styles.actions}>
            <Button kind="primary" icon="check" isBusy={accept.isRunning} onClick={() => submit()}>
              {t('Accept')}
            </Button>
            <Button icon="edit" onClick={() => setEditing(true)}>
              {t('Edit, then accept')}
            </Button>
            <Button onClick={() => setDeclining(true)}>{t('Decline')}</Button>
          </div>
          <h2>{present === undefined ? t('The new note') : t('What it changes')}</h2>
          <Difference
            before={present === undefined ? '' : visibleText(textOf(present))}
            after={visibleText(text)}
          />
        </>
      )}
      {asked !== undefined && (
        <ConfirmGuests
          onClose={() => setAsked(undefined)}
          onConfirm={() => {
            setAsked(undefined);
            accept.run(asked.edited);
          }}
        >
          <p>
            {t('Guests of the team will see {path} as soon as you accept it.', {
              path: <code>{proposal.rowKey}</code>,
            })}
          </p>
        </ConfirmGuests>
      )}
      {isDeclining && <Decline proposalId={proposal.id} onClose={() => setDeclining(false)} />}
    </>
  );
}

function Decline({ proposalId, onClose }: { proposalId: string; onClose: () => void }) {
  const [, navigate] = useLocation();
  const [reason, setReason] = useState('');
  const decline = useAction(async () => {
    await declineProposal(proposalId, reason.trim());
    navigate('/review');
  });
  return (
    <FormDialog
      title={t('Decline this proposal?')}
      submit={t('Decline')}
      action={decline}
      isReady={reason.trim() !== ''}
      onClose={onClose}
    >
      <TextArea
        label={t('Why')}
        hint={t('Whoever proposed it reads this. The text of the proposal is not kept.')}
        value={reason}
        maxLength={maxReasonCharacters}
        onInput={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
