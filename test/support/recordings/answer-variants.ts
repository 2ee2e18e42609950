/** Objects whose members are data of the client. */
const free = ['frontmatter', 'readiness_pillars'];

/** A copy in which every object that is not a client's data has a member more. */
export function withUnknownMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownMembers);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, inner]) => [
    name,
    free.includes(name) ? inner : withUnknownMembers(inner),
  ]);
  return { x_unknown: { $later: [1, null] }, ...Object.fromEntries(members) };
}

const examples: Readonly<Record<string, string>> = {
  uuid: '019a4f60-0000-7000-8000-000000000000',
  request_id: '019a4f60-0000-4000-8000-000000000000',
  time: '2026-11-21T06:27:00.123Z',
  text: 'something',
};

/** A recorded answer with something in the place of each placeholder. */
export function filledIn(recorded: unknown): unknown {
  const text = JSON.stringify(recorded);
  return JSON.parse(
    text.replace(/"<(\w+)(?: \w+)?>"/g, (whole, form) => JSON.stringify(examples[form] ?? whole)),
  );
}

/** A copy without each member and entry in turn. */
export function* removed(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const index of value.keys()) yield value.toSpliced(index, 1);
  } else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
    }
  }
  yield* inside(value, removed);
}

/** A copy with another value for each text, number, flag and null in turn. */
export function* changed(value: unknown): Generator<unknown> {
  if (typeof value === 'object' && value !== null) yield* inside(value, changed);
  else yield typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : 7;
}

function* inside(value: unknown, spoil: (inner: unknown) => Generator<unknown>): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    for (const spoilt of spoil(inner)) {
      const copy = structuredClone(value) as Record<string, unknown>;
      copy[name] = spoilt;
      yield copy;
    }
  }
}
