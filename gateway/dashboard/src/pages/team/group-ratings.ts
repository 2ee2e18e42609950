import type { Rating } from '@teammemory/proto/query/v1/query_pb.ts';

/** A question with everything that members said of its answers, newest first. */
export interface RatedQuestion {
  question: string;
  ratings: Rating[];
}

/**
 * Puts ratings, newest first, together that are about the same question, whatever its case, blanks and marks at its end.
 * The question that was rated last comes first, and is shown as its last asker wrote it.
 */
export function groupRatings(ratings: readonly Rating[]): RatedQuestion[] {
  const groups = Map.groupBy(ratings, ({ question }) =>
    question
      .normalize('NFC')
      .toLowerCase()
      .replaceAll(/\s+/g, ' ')
      .replace(/[ ?.!]{1,10}$/, '')
      .trim(),
  );
  return [...groups.values()].map((group) => ({ question: group[0]?.question ?? '', ratings: group }));
}
