import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Page } from '@teammemory/proto/common/v1/page_pb.ts';
import type { PageParameters } from './contract.ts';

/** The parameters of a list as the services know them. */
export function pageRequest(parameters: PageParameters) {
  const { since, cursor, limit, include_deleted } = parameters;
  return {
    ...(since === undefined ? {} : { since: timestampFromMs(since) }),
    cursor: cursor ?? '',
    limit: limit ?? 0,
    includeDeleted: include_deleted ?? false,
  };
}

/** The answer of a list. Its rows are JSON already and are passed on without being read. */
export function pageBody(name: string, page: Page | undefined): Buffer {
  const { rowsJson, nextCursor, hasMore } = page ?? {
    rowsJson: Buffer.from('[]'),
    nextCursor: '',
    hasMore: false,
  };
  const head = Buffer.from(`{"${name}":`);
  const tail = Buffer.from(`,"next_cursor":${JSON.stringify(nextCursor)},"has_more":${hasMore}}`);
  // Memory of its own: out of Node's pool a small body that is kept would hold on to all that shares it.
  const body = Buffer.allocUnsafeSlow(head.length + rowsJson.length + tail.length);
  body.set(head);
  body.set(rowsJson, head.length);
  body.set(tail, head.length + rowsJson.length);
  return body;
}
