import type { DecisionFields } from './decision.ts';

type ShortField = Exclude<keyof DecisionFields, 'body'>;

/** The fields besides the text. */
export const shortFields: readonly ShortField[] = ['title', 'status', 'project', 'decided_on', 'audience'];

/** The fields besides the text that differ, each with what to keep: their value where I did not change it. */
export function differingFields(
  base: DecisionFields,
  theirs: DecisionFields,
  mine: DecisionFields,
): Map<ShortField, 'theirs' | 'mine'> {
  return new Map(
    shortFields
      .filter((field) => theirs[field] !== mine[field])
      .map((field) => [field, mine[field] === base[field] ? 'theirs' : 'mine']),
  );
}

/** Whether two drafts say the same. */
export function isSameText(one: DecisionFields, other: DecisionFields): boolean {
  return (Object.keys(one) as (keyof DecisionFields)[]).every((field) => one[field] === other[field]);
}
