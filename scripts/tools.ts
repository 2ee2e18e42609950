import { delimiter, join } from 'node:path';

/** The folder of the repository. */
export const root = join(import.meta.dirname, '..');
const modules = join(root, 'node_modules');

/** What tools are started with: the repository's own Node and tools come first, and nx neither stays nor sends anything. */
export const toolEnvironment = {
  ...process.env,
  PATH: [join(modules, 'node', 'bin'), join(modules, '.bin'), process.env.PATH].join(delimiter),
  NX_DAEMON: 'false',
  NX_NO_CLOUD: 'true',
};
