// Run by the image's HEALTHCHECK with the address that a part listens on and the ports that it may tell its state on. Exit
// code 0 as soon as one of them answers `/readyz` with 200, else 1.

const [address = '', ...ports] = process.argv.slice(2);
/** A part that listens on all addresses, as the image sets it, is asked on this one. */
const asked = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address;
const host = asked.includes(':') ? `[${asked}]` : asked;
/** Less than the time that Docker gives the check. */
const timeoutMs = 4_000;

async function askReadiness(port: string): Promise<void> {
  const response = await fetch(`http://${host}:${port}/readyz`, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`port ${port} answers ${response.status}`);
}

try {
  await Promise.any(ports.map(askReadiness));
} catch (error) {
  const reasons = (error as AggregateError).errors.map((reason: Error) => reason.message);
  process.stderr.write(`Not ready: ${reasons.join('; ')}.\n`);
  process.exitCode = 1;
}
