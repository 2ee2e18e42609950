import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import type { Refusal } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Notice } from '../../components/problem-notice.tsx';
import { When } from '../../components/time.tsx';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import { rpc } from '../../service/rpc.ts';
import { isTeamMember, session } from '../../service/session.ts';

/** For so long one answer serves all items that are opened; a member may ask 60 times a minute. */
const keptMs = 5_000;

let kept: { owner: string; atMs: number; refusals: Promise<readonly Refusal[]> } | undefined;

/**
 * Says that the service refused the last push of this path by whoever is signed in. What was pushed successfully after the
 * refusal, at `since`, makes it pointless; undefined where there is no such item.
 */
export function OwnRefusal({ rowKey, since }: { rowKey: string; since: string | undefined }) {
  const { value } = useRequest(
    async () => (isTeamMember() ? await lastRefusal(rowKey) : undefined),
    [rowKey, since],
  );
  if (value === undefined) return null;
  const at = momentOf(value.at);
  if (since !== undefined && new Date(since) >= at) return null;
  return (
    <Notice tone="warn">
      <p>
        {t('Your last push of this file was refused, {when}: {detail} ({code})', {
          when: <When at={at} />,
          detail: value.detail,
          code: value.code,
        })}
      </p>
    </Notice>
  );
}

async function lastRefusal(rowKey: string): Promise<Refusal | undefined> {
  const { team = '', member = '' } = session.value ?? {};
  const owner = JSON.stringify([team, member]);
  if (kept?.owner !== owner || Date.now() - kept.atMs > keptMs) {
    const refusals = rpc.auth.listRefusals({ teamSlug: team }).then(
      (answer) => answer.refusals,
      // The item is of use without it.
      () => [],
    );
    kept = { owner, atMs: Date.now(), refusals };
  }
  // Newest first.
  const refusals = await kept.refusals;
  return refusals.find((refusal) => refusal.rowKey === rowKey && refusal.memberHandle === member);
}

function momentOf(at: Timestamp | undefined): Date {
  return at === undefined ? new Date(0) : timestampDate(at);
}
