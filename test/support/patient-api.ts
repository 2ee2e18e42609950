import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, api } from './api.ts';

/** As often as this a loaded machine may say that it is not able to right now. */
const attempts = 10;

/**
 * Sends a request as `api` does, again while the answer is 503, after the time that it names: what every client
 * has to do. The first attempt may have been stored, so it is for requests that may be repeated.
 */
export async function patientApi(...request: Parameters<typeof api>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await api(...request);
    if (answer.status !== 503 || attempt === attempts) return answer;
    await delay(Number(answer.headers.get('retry-after') ?? 1) * 1000);
  }
}
