import { t } from '../../language/language.ts';

/** What a request of the public API wants, by its method and the beginning of its path. */
const acts: readonly (readonly [RegExp, string])[] = [
  [/^POST \/api\/v1\/items/, t('Push items')],
  [/^DELETE \/api\/v1\/items/, t('Remove an item')],
  [/^GET \/api\/v1\/items/, t('Read items')],
  [/^GET \/api\/v1\/tasks/, t('Read tasks')],
  [/^GET \/api\/v1\/decisions/, t('Read decisions')],
  [/^GET \/api\/v1\/projects/, t('Read projects')],
  [/^GET \/api\/v1\/events/, t('Follow changes')],
  [/^GET \/api\/v1\/search/, t('Search')],
  [/^POST \/api\/v1\/query/, t('Ask a question')],
  [/^POST \/api\/v1\/metrics/, t('Send measurements')],
  [/^POST \/api\/v1\/codebases/, t('Send a scan of a codebase')],
  [/^POST \/api\/v1\/sign-in-links/, t('Make a sign-in link')],
  [/^GET \/api\/v1\/whoami/, t('Ask whose key it is')],
  [/ \/mcp/, t('Work as an agent')],
];

/** Says in words what a refused request wanted: `teammemory.auth.v1.AuthService/CreateTeam` is "Create team". */
export function requestWords(request: string): string {
  const method = /^(?:teammemory\.[\w.]+\/)?(\w+)$/.exec(request)?.[1];
  if (method === undefined)
    return acts.find(([pattern]) => pattern.test(request))?.[1] ?? t('Call the service');
  const words = method.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
