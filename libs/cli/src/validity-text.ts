/** Until when a key or a service credential is good, for people. */
export function validityText(credential: { expires_at: string | null; revoked_at: string | null }): string {
  const { expires_at, revoked_at } = credential;
  return revoked_at ? `revoked ${revoked_at}` : `expires ${expires_at ?? 'never'}`;
}
