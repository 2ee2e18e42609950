import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the home folder of the user: `HOME` if that is a whole path, else what the system says. */
export function homeFolder({ HOME: home }: Environment): string {
  return home && isAbsolute(home) ? home : homedir();
}

/**
 * Returns the folder in which a platform keeps data of the service for its user: on Linux as the XDG Base Directory
 * Specification says, on macOS and Windows where their programs keep such data.
 */
export function dataFolder(platform: string, env: Readonly<Record<string, string | undefined>>): string {
  const home = homeFolder(env);
  const name = 'team-memory-service';
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', name);
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), name, 'Data');
  return join(env.XDG_DATA_HOME || join(home, '.local', 'share'), name);
}
