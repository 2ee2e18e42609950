/** For `.catch`: makes undefined of "there is no such file", and nothing else. */
export function missingIsUndefined(cause: NodeJS.ErrnoException): undefined {
  if (cause.code === 'ENOENT') return undefined;
  throw cause;
}
