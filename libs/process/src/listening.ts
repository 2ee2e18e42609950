import { AppError } from '@teammemory/errors/app-error.ts';

/** A port that a setting names. */
export interface PortSetting {
  /** Name of the setting. */
  name: string;
  host: string;
  /** 0 takes any free one. */
  port: number;
}

/**
 * Binds a port.
 * @throws AppError `unavailable` with one sentence that names the setting.
 */
export async function listening<Result>(
  { name, host, port }: PortSetting,
  bind: (address: { host: string; port: number }) => Promise<Result>,
): Promise<Result> {
  try {
    return await bind({ host, port });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const sentence =
      code === 'EADDRINUSE'
        ? `Port ${port} is in use; set ${name} to another one, or to 0 for any that is free.`
        : `Nothing can listen on ${host} port ${port} (${code ?? 'unknown error'}); see HOST and ${name}.`;
    throw new AppError('unavailable', sentence, { cause });
  }
}

/** An address to connect to: a listener on every interface is reached over the loopback one. */
export function addressOf(host: string, port: number, scheme: 'http' | 'https' = 'http'): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `${scheme}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
