// Run by the image's HEALTHCHECK with the ports that a part may tell its state on. Exit code 0 as soon as one of them
// answers `/readyz` with 200, else 1.

/** Less than the time that Docker gives the check. */
const timeoutMs = 4_000;

async function askReadiness(port: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`port ${port} answers ${response.status}`);
}

try {
  await Promise.any(process.argv.slice(2).map(askReadiness));
} catch (error) {
  const reasons = (error as AggregateError).errors.map((reason: Error) => reason.message);
  process.stderr.write(`Not ready: ${reasons.join('; ')}.\n`);
  process.exitCode = 1;
}
