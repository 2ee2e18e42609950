import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the folder in which a platform keeps data of the service for its user: on Linux as the XDG Base Directory
 * Specification says, on macOS and Windows where their programs keep such data.
 */
export function dataFolder(platform: string, env: Readonly<Record<string, string | undefined>>): string {
  const home = env.HOME || env.USERPROFILE || homedir();
  const name = 'team-memory-service';
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', name);
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), name, 'Data');
  return join(env.XDG_DATA_HOME || join(home, '.local', 'share'), name);
}
