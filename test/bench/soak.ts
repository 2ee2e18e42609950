// `npm run soak -- --minutes 60`: the service with ordinary work for a while, and the alerts that this would have raised.
// Ends with 1 if there is one.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { alertsInSeries, samplesOf } from '@teammemory/testkit/promtool.ts';
import { item } from '../support/http/api.ts';
import { newTeam } from '../support/http/key-holder.ts';
import { startService } from '../support/service/running-service.ts';
import { plentyOfWrites } from '../support/service/shared-service.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
const minutes = Number(values.minutes);
const minuteMs = 60_000;
/** Pauses between the requests of a team, as of a few people and their agents. */
const pauseMs = 200;
const teams = 5;

const service = await startService({ environment: { DEMO: 'off', ...plentyOfWrites } });
const scrapes: Map<string, number>[] = [];
let requests = 0;
let failed = 0;
try {
  const endMs = Date.now() + minutes * minuteMs;
  const work = Array.from({ length: teams }, async () => {
    const { team } = await newTeam(service);
    const kept: string[] = [];
    while (Date.now() < endMs) {
      const name = `${randomUUID()}.md`;
      kept.push(name);
      const answers = [
        await team.push(item(name, `- [ ] bring ${name} to the harbour by Friday`)),
        await team.pull('?limit=50'),
        await team.call('/tasks?limit=50'),
        await team.call('/query', { body: { q: 'what is to be brought to the harbour' } }),
        ...(kept.length > 200 ? [await team.remove(kept.shift() ?? '')] : []),
      ];
      requests += answers.length;
      failed += answers.filter(({ status }) => status >= 500).length;
      await delay(pauseMs);
    }
  });
  const watch = async () => {
    for (;;) {
      scrapes.push(samplesOf(await service.metrics()));
      const restMs = endMs - Date.now();
      if (restMs < minuteMs) return;
      await delay(minuteMs);
    }
  };
  await Promise.all([...work, watch()]);
} finally {
  await service.remove();
}
const names = new Set(scrapes.flatMap((scrape) => [...scrape.keys()]));
const series = [...names].map((name) => ({
  series: name,
  values: scrapes.map((scrape) => scrape.get(name) ?? '_').join(' '),
}));
const raised = Array.from({ length: scrapes.length }, (_, minute) => alertsInSeries(series, minute)).flat();
console.log(`${minutes} minutes, ${requests} requests, ${failed} of them failed, ${scrapes.length} scrapes`);
console.log(raised.length === 0 ? 'No alert was raised.' : `Raised: ${[...new Set(raised)].join(', ')}`);
if (raised.length > 0) process.exitCode = 1;
