/** What was done, for actions of the audit log whose last word says it. */
const verbs: Readonly<Record<string, string>> = {
  add: 'added',
  connect: 'connected',
  create: 'made',
  edit: 'changed',
  end: 'ended',
  erase: 'erased',
  open: 'opened',
  remove: 'removed',
  rename: 'renamed',
  replay: 'sent again',
  revoke: 'revoked',
  role: 'given another role',
  rotate: 'replaced',
  take: 'taken',
  test: 'tested',
};

/** An action of the audit log in words: `sign_in_link.create` as "Sign in link made". */
export function actionWords(action: string): string {
  if (action === 'call') return 'Call refused';
  const [noun = '', verb = ''] = action.split('.');
  const words = [noun.replaceAll('_', ' '), verbs[verb] ?? verb].join(' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
