/**
 * Reads what a process tells of itself under this name, without labels.
 * @throws Error where it does not tell it.
 */
export async function readMetric(metricsUrl: string, name: string): Promise<number> {
  const metrics = await (await fetch(metricsUrl)).text();
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1];
  if (value === undefined) throw new Error(`${metricsUrl} does not tell ${name}`);
  return Number(value);
}

/** Returns the sum of what all processes of a service report under this name, a regular expression. */
export async function totalOfMetric(service: { metrics(): Promise<string> }, name: string): Promise<number> {
  const values = (await service.metrics()).matchAll(new RegExp(`^${name} (\\S+)$`, 'gm'));
  return values.reduce((sum, [, value]) => sum + Number(value), 0);
}
