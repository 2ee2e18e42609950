import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type { ItemErrorSchema, ItemInput } from '@teammemory/proto/content/v1/content_pb.ts';
import { clientNameOf } from '@teammemory/rpc/auth/call-origin.ts';
import type { Caller } from '@teammemory/rpc/auth/principal.ts';
import { maxRowKeyBytes } from '@teammemory/vocabulary/row-key.ts';
import { findSecrets } from '@teammemory/vocabulary/secret-scan.ts';
import type { ItemAuthor, ItemDraft } from '../domain/items/item.ts';
import type { ProposalRefusal } from '../domain/proposals/propose-items.ts';

// Bytes that are not UTF-8 must not be mended, because the row is stored as given.
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns an item as sent. Front matter that is not UTF-8 becomes text that no rule accepts. */
export function itemDraftFromProto(input: ItemInput): ItemDraft {
  const { rowKey, content, tier, checksum, baseChecksum, createOnly, frontmatterText } = input;
  const frontmatterJson = textOf(input.frontmatterJson);
  return { rowKey, content, tier, checksum, baseChecksum, createOnly, frontmatterJson, frontmatterText };
}

/** Returns the caller of a call as the author of items. */
export function itemAuthorFrom(
  { tier, access, memberHandle: handle, memberId, keyId }: Caller,
  context: Pick<HandlerContext, 'requestHeader' | 'values'>,
): ItemAuthor {
  const client = clientNameOf(context);
  const origin = { key_id: keyId, ...(client !== undefined && { client }) };
  return { tier, access, handle, memberId, origin };
}

/** Returns why an item was refused. Its row_key is cut, because it may be what is wrong, and left out if it has a credential. */
export function itemErrorToProto(
  index: number,
  rowKey: string,
  refusal: ProposalRefusal,
): MessageInitShape<typeof ItemErrorSchema> {
  const { code, detail, currentChecksum } = refusal;
  const cut = rowKey.slice(0, maxRowKeyBytes).toWellFormed();
  return {
    index,
    rowKey: code === 'contains_secret' && findSecrets(rowKey).length > 0 ? '' : cut,
    code,
    detail,
    ...(currentChecksum === undefined ? {} : { currentChecksum: currentChecksum ?? '' }),
  };
}

function textOf(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return '';
  }
}
