// Becomes the service, with as many descriptors as FEW_DESCRIPTORS says: a shell is needed, for no call of Node sets the limit.
const { FEW_DESCRIPTORS: limit = '400', ...environment } = process.env as Record<string, string>;
const command = `ulimit -n ${Number(limit)}; exec "$0" services/all/main.ts`;
process.execve?.('/bin/sh', ['sh', '-c', command, process.execPath], environment);
