import type { MethodImpl } from '@connectrpc/connect';
import type { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { requireCaller } from '@teammemory/rpc/caller-context.ts';
import { answer } from '../domain/answer.ts';
import type { Memory } from '../domain/memory.ts';
import { answerPartToProto } from './answer-proto.ts';

/** Answers Ask. */
export function askHandler({ memory }: { memory: Memory }): MethodImpl<typeof QueryService.method.ask> {
  return async function* ({ question }, context) {
    const viewer = requireCaller(context);
    for await (const part of answer(question, { viewer, memory, signal: context.signal })) {
      yield answerPartToProto(part);
    }
  };
}
