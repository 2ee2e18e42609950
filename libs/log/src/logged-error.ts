/** Errors that quote what they failed on: a text that could not be parsed, a row that a database refused. */
const quotingErrors = /^(SyntaxError|YAML\w*Error|ZodError|Mongo(Server|BulkWrite|WriteConcern)Error)$/;
/** A message tells what happened; a longer one carries something along. */
const maxMessageCharacters = 500;
/** Of a stack, what leads to the code at fault. */
const maxFrames = 15;
/** Causes of causes that are told. */
const maxCauses = 5;

/** An error as it stands in the log. */
export interface LoggedError {
  type: string;
  code?: string | number;
  /** Missing where it could quote content. */
  message?: string;
  stack?: string;
  cause?: LoggedError;
}

/**
 * What the log gets of anything thrown: what it is, where it comes from and
 * why. Other fields are left out, for libraries keep requests and rows there.
 */
export function loggedError(thrown: unknown, causes = maxCauses): LoggedError {
  // What is thrown without being an error can be any text.
  if (!(thrown instanceof Error)) return { type: typeof thrown };
  const { name, message, cause } = thrown;
  const { code } = thrown as { code?: unknown };
  return {
    type: name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(quotingErrors.test(name) ? {} : { message: message.slice(0, maxMessageCharacters) }),
    stack: framesOf(thrown),
    ...(cause === undefined || causes === 0 ? {} : { cause: loggedError(cause, causes - 1) }),
  };
}

/** The stack begins with the message, which may be of several lines. */
function framesOf({ stack = '', message }: Error): string {
  const frames = stack.slice(stack.indexOf(message) + message.length).split('\n');
  return frames.slice(1, 1 + maxFrames).join('\n');
}
