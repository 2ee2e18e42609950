/**
 * The processor time of this thread, in milliseconds, that some work takes:
 * unlike wall time it says nothing of what else the machine is doing.
 */
export function processorMilliseconds(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
