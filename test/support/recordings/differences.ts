const forms: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  request_id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  time: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
  seconds: /^[1-9]\d*$/,
  text: /\S/,
};

/**
 * How an answer differs from the recorded one, one line for each place. What the recording has must be there and
 * the same; members that it does not know may be there too, for the contract may grow. A recorded text `<form>`
 * stands for any text of a form above; `<form name>` moreover for the same text wherever it stands under that name,
 * which `known` remembers.
 */
export function differences(
  recorded: unknown,
  answered: unknown,
  known: Map<string, string> = new Map(),
  pointer = '',
): string[] {
  const differs = [`${pointer}: ${JSON.stringify(answered)} is not ${JSON.stringify(recorded)}`];
  if (typeof recorded === 'string') return isRecorded(recorded, answered, known) ? [] : differs;
  if (typeof recorded !== 'object' || recorded === null) return Object.is(recorded, answered) ? [] : differs;
  if (typeof answered !== 'object' || answered === null) return differs;
  if (Array.isArray(recorded) !== Array.isArray(answered)) return differs;
  if (Array.isArray(recorded) && recorded.length !== (answered as unknown[]).length) return differs;
  const members = answered as Record<string, unknown>;
  return Object.entries(recorded).flatMap(([name, value]) =>
    Object.hasOwn(members, name)
      ? differences(value, members[name], known, `${pointer}/${name}`)
      : [`${pointer}/${name}: is missing`],
  );
}

function isRecorded(recorded: string, answered: unknown, known: Map<string, string>): boolean {
  const [, form = '', name] = /^<(\w+)(?: (\w+))?>$/.exec(recorded) ?? [];
  if (!Object.hasOwn(forms, form)) return recorded === answered;
  if (typeof answered !== 'string' || forms[form]?.test(answered) !== true) return false;
  return name === undefined || known.getOrInsert(name, answered) === answered;
}
