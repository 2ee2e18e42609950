import { AppError } from '@teammemory/errors/app-error.ts';

/** Why a process could not listen, as Node says it and as a part tells it to its supervisor. */
export interface PortInUse {
  code: 'EADDRINUSE';
  port: number;
}

/** The port that something else has, where that is what an error comes from; else undefined. */
export function portInUse(error: unknown): PortInUse | undefined {
  return error instanceof AppError && isPortInUse(error.cause)
    ? { code: error.cause.code, port: error.cause.port }
    : undefined;
}

/** Whether a value, such as a message of another process, says that a port is in use. */
export function isPortInUse(value: unknown): value is PortInUse {
  const { code, port } = (value ?? {}) as Partial<PortInUse>;
  return code === 'EADDRINUSE' && typeof port === 'number';
}
