/** What a request of the public API wants, by its method and the beginning of its path. */
const acts: readonly (readonly [RegExp, string])[] = [
  [/^POST \/api\/v1\/items/, 'Push items'],
  [/^DELETE \/api\/v1\/items/, 'Remove an item'],
  [/^GET \/api\/v1\/items/, 'Read items'],
  [/^GET \/api\/v1\/tasks/, 'Read tasks'],
  [/^GET \/api\/v1\/decisions/, 'Read decisions'],
  [/^GET \/api\/v1\/projects/, 'Read projects'],
  [/^GET \/api\/v1\/events/, 'Follow changes'],
  [/^GET \/api\/v1\/search/, 'Search'],
  [/^POST \/api\/v1\/query/, 'Ask a question'],
  [/^POST \/api\/v1\/metrics/, 'Send measurements'],
  [/^POST \/api\/v1\/codebases/, 'Send a scan of a codebase'],
  [/^POST \/api\/v1\/sign-in-links/, 'Make a sign-in link'],
  [/^GET \/api\/v1\/whoami/, 'Ask whose key it is'],
  [/ \/mcp/, 'Work as an agent'],
];

/** Says in words what a refused request wanted: `teammemory.auth.v1.AuthService/CreateTeam` is "Create team". */
export function requestWords(request: string): string {
  const method = /^(?:teammemory\.[\w.]+\/)?(\w+)$/.exec(request)?.[1];
  if (method === undefined) return acts.find(([pattern]) => pattern.test(request))?.[1] ?? 'Call the service';
  const words = method.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
