import { AppError } from '@teammemory/errors/app-error.ts';
import { describeSecrets, type SecretFinder } from '@teammemory/vocabulary/secret-scan.ts';

/**
 * Refuses texts with credentials, by the name of their field. It is called before the audit log notes what is to be done,
 * so that no credential gets there.
 * @throws AppError `contains_secret` with the lines of each field.
 */
export function requireNoSecrets(
  findSecrets: SecretFinder,
  fields: Record<string, string | undefined>,
): void {
  const violations = Object.entries(fields).flatMap(([name, text = '']) => {
    const found = findSecrets(text);
    return found.length === 0 ? [] : [{ pointer: `/${name}`, detail: describeSecrets(found) }];
  });
  if (violations.length > 0) {
    const told = violations.map(({ pointer, detail }) => `In ${pointer.slice(1)} ${detail}`).join('. ');
    throw new AppError('contains_secret', `${told}.`, { violations });
  }
}
