import { randomBytes } from 'node:crypto';

/** Makes a token for the administrator of an installation, where none is set. */
export function newAdministratorToken(): string {
  return `tms_admin_${randomBytes(32).toString('base64url')}`;
}
