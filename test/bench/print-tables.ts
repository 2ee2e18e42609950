import { goalIsMet, type Measurement } from './measurement.ts';
import type { ProcessorTime } from './processor-time.ts';

/** Prints the measurements for people: the ratios, and what an answer costs each process where that was measured. */
export function printTables(measurements: readonly Measurement[]): void {
  printTable(measurements.map((measurement) => [measurement.name, ratioRow(measurement)]));
  const metered = measurements.flatMap(({ name, processorMs }) =>
    processorMs === undefined ? [] : [[name, processorRow(processorMs)] as const],
  );
  if (metered.length === 0) return;
  console.log('Milliseconds of processor time that an answer costs each process:');
  printTable(metered);
}

function printTable(rows: readonly (readonly [string, object])[]): void {
  console.table(Object.fromEntries(rows));
}

function ratioRow(measurement: Measurement) {
  const { ours, theirs, unit, ratio, goal } = measurement;
  const row = {
    service: `${figure(ours)} ${unit}`,
    reference: `${figure(theirs)} ${unit}`,
    ratio: ratio.toFixed(2),
  };
  if (goal === undefined) return row;
  return {
    ...row,
    goal: 'atLeast' in goal ? `>= ${goal.atLeast}` : `<= ${goal.atMost}`,
    met: goalIsMet(measurement) ? 'yes' : 'no',
  };
}

function processorRow({ ours, theirs }: NonNullable<Measurement['processorMs']>) {
  return { service: costs(ours), reference: costs(theirs) };
}

function costs(time: ProcessorTime): string {
  const processes = Object.entries(time).toSorted(([, a], [, b]) => b - a);
  return processes.map(([name, milliseconds]) => `${name} ${figure(milliseconds)}`).join(', ');
}

function figure(value: number): string {
  return value < 100 ? value.toFixed(3) : Math.round(value).toLocaleString('en');
}
