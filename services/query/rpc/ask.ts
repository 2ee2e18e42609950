import type { MethodImpl } from '@connectrpc/connect';
import type { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { requireCaller } from '@teammemory/rpc/caller-context.ts';
import { answer } from '../domain/answer.ts';
import type { AnswerWriter } from '../domain/answer-model-call.ts';
import type { EmbeddingSearch } from '../domain/embedding-search.ts';
import type { Memory } from '../domain/memory.ts';
import { answerPartToProto } from './answer-proto.ts';

/** Answers Ask; without a writer, with quotes. */
export function askHandler(parts: {
  memory: Memory;
  embedding: EmbeddingSearch | undefined;
  writer: AnswerWriter | undefined;
}): MethodImpl<typeof QueryService.method.ask> {
  return async function* ({ question }, context) {
    const viewer = requireCaller(context);
    for await (const part of answer(question, { ...parts, viewer, signal: context.signal })) {
      yield answerPartToProto(part);
    }
  };
}
