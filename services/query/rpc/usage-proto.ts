import type { MessageInitShape } from '@bufbuild/protobuf';
import { AppError } from '@teammemory/errors/app-error.ts';
import type {
  GetUsageRequest,
  GetUsageResponseSchema,
  UsageRowSchema,
} from '@teammemory/proto/query/v1/query_pb.ts';
import { pageSizeFromProto } from '@teammemory/rpc/page-size.ts';
import { pageSizes, type UsagePage, type UsageQuery } from '../domain/spending/usage-report.ts';
import type { UsagePosition, UsageTotal } from '../domain/spending/usage-store.ts';

/** A token is a cursor as JSON in base64url; it names nothing that an administrator may not see. */
const maxTokenCharacters = 1_000;

/**
 * Which part of a team's usage is wanted.
 * @throws AppError `invalid_cursor`, `invalid_request`.
 */
export function usageQueryFromProto(request: GetUsageRequest): UsageQuery {
  const { from, to, pageToken } = request;
  const pageSize = pageSizeFromProto(request.pageSize, pageSizes.maximum);
  return { from, to, pageSize, after: pageToken === '' ? undefined : positionFrom(pageToken) };
}

/** One page of a team's usage. */
export function usagePageToProto(page: UsagePage): MessageInitShape<typeof GetUsageResponseSchema> {
  return {
    from: page.from,
    to: page.to,
    rows: page.totals.map(usageTotalToProto),
    nextPageToken: page.next === undefined ? '' : tokenOf(page.next),
  };
}

/** One row of it. */
export function usageTotalToProto(total: UsageTotal): MessageInitShape<typeof UsageRowSchema> {
  return {
    day: total.day,
    memberId: total.memberId,
    model: total.model,
    calls: BigInt(total.calls),
    inputTokens: BigInt(total.inputTokens),
    outputTokens: BigInt(total.outputTokens),
    costMicroDollars: BigInt(total.cost),
  };
}

function tokenOf({ day, memberId, model }: UsagePosition): string {
  return Buffer.from(JSON.stringify([day, memberId, model])).toString('base64url');
}

function positionFrom(token: string): UsagePosition {
  try {
    if (token.length > maxTokenCharacters) throw new RangeError('too long');
    const place: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (!Array.isArray(place) || place.length !== 3) throw new TypeError('not a place');
    const [day, memberId, model] = place.map(textFrom) as [string, string, string];
    return { day, memberId, model };
  } catch (cause) {
    throw new AppError('invalid_cursor', 'The page token was not issued for this list.', { cause });
  }
}

function textFrom(part: unknown): string {
  if (typeof part === 'string') return part;
  throw new TypeError('not a place');
}
