/** Errors that quote what they failed on: a text that could not be parsed, a row that a database refused. */
const quotingErrors = /^(SyntaxError|YAML\w*Error|ZodError|Mongo(Server|BulkWrite|WriteConcern)Error)$/;
/** A longer message probably quotes data. */
const maxMessageCharacters = 500;
/** Stack frames that are logged. */
const maxFrames = 15;
/** Nested causes that are logged. */
const maxCauses = 5;

/** An error as it stands in the log. */
export interface LoggedError {
  type: string;
  code?: string | number;
  /** Missing if it could quote content. */
  message?: string;
  stack?: string;
  cause?: LoggedError;
}

/**
 * Returns what the log gets of anything thrown: its type, its stack and its
 * causes. Other fields are left out because libraries keep requests and rows there.
 */
export function loggedError(thrown: unknown, causes = maxCauses): LoggedError {
  // A thrown value that is not an error can be any text.
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

/** The stack begins with the message, which may have several lines. */
function framesOf({ stack = '', message }: Error): string {
  const frames = stack.slice(stack.indexOf(message) + message.length).split('\n');
  return frames.slice(1, 1 + maxFrames).join('\n');
}
