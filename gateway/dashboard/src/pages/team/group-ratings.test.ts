import { create } from '@bufbuild/protobuf';
import { RatingSchema } from '@teammemory/proto/query/v1/query_pb.ts';
import { expect, test } from 'vitest';
import { groupRatings } from './group-ratings.ts';

const rating = (ratingId: string, question: string) => create(RatingSchema, { ratingId, question });

test('the same question is one row however it is written, and the one that was rated last comes first', () => {
  const grouped = groupRatings([
    rating('4', 'Where is the key?'),
    rating('3', 'When do we sail'),
    rating('2', ' where is  the KEY ?!'),
    rating('1', 'Where is the keyhole?'),
  ]);
  expect(grouped.map(({ question, ratings }) => [question, ratings.map(({ ratingId }) => ratingId)])).toEqual(
    [
      ['Where is the key?', ['4', '2']],
      ['When do we sail', ['3']],
      ['Where is the keyhole?', ['1']],
    ],
  );
  expect(groupRatings([])).toEqual([]);
});
