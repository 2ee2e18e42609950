import type { MethodImpl } from '@connectrpc/connect';
import type { AcquirePermit } from '@teammemory/async/concurrency-limit.ts';
import type { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { requireCaller } from '@teammemory/rpc/auth/caller-context.ts';
import { answer } from '../domain/answer/answer.ts';
import type { AnswerWriter } from '../domain/answer/answer-model-call.ts';
import type { EmbeddingSearch } from '../domain/embedding/find-passages.ts';
import type { Memory } from '../domain/index/memory.ts';
import type { AnswerMarkup } from '../domain/markup/answer-markup.ts';
import { answerPartToProto } from './answer-proto.ts';

/**
 * Answers Ask; without a writer, with quotes. An answer takes a place until it
 * has ended or its reader has gone.
 */
export function askHandler(parts: {
  memory: Memory;
  embedding: EmbeddingSearch | undefined;
  writer: AnswerWriter | undefined;
  markup: AnswerMarkup;
  acquirePermit: AcquirePermit;
}): MethodImpl<typeof QueryService.method.ask> {
  return async function* ({ question }, context) {
    const viewer = requireCaller(context);
    const release = parts.acquirePermit(viewer.teamId);
    try {
      for await (const part of answer(question, { ...parts, viewer, signal: context.signal })) {
        yield answerPartToProto(part);
      }
    } finally {
      release();
    }
  };
}
