import { AppError } from '@teammemory/errors/app-error.ts';
import type { KeyPosition } from '../domain/key-store.ts';

const positionPattern = /^(?<createdAt>\d{1,15})\.(?<keyId>[0-9A-Za-z]{16})$/;

/** A place among a team's keys, as page tokens carry it: `<createdAt>.<keyId>`. */
export function keyPositionToProto({ createdAt, keyId }: KeyPosition): string {
  return `${createdAt}.${keyId}`;
}

/** The place that `position` names; '' is the beginning. Throws AppError `invalid_cursor`. */
export function keyPositionFromProto(position: string): KeyPosition {
  if (position === '') return { createdAt: 0, keyId: '' };
  const { createdAt, keyId } = positionPattern.exec(position)?.groups ?? {};
  if (createdAt !== undefined && keyId !== undefined) return { createdAt: Number(createdAt), keyId };
  throw new AppError('invalid_cursor', 'The page token was not issued for this list.');
}
