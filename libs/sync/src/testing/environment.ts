/** Returns a number from the environment, with which tests are made to try more than they usually do. */
export function numberOf(variable: 'SYNC_WORLDS' | 'SYNC_CRASHES' | 'SYNC_SEED', otherwise: number): number {
  return Number(process.env[variable] ?? otherwise);
}
