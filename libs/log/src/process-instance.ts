import { hostname } from 'node:os';

/** What tells this process from others of its part, on this machine and on others: in Kubernetes the host is the pod. */
export const processInstance = `${hostname()}:${process.pid}`;
