// ask.mjs prints the answer to a question as it comes, and then its sources. Node 20 or later.
//   TMS_URL=… TMS_TEAM=… TMS_KEY=… node ask.mjs "When do we deploy?"
const { TMS_URL: url, TMS_TEAM: team, TMS_KEY: key } = process.env;
const printable = (text) => text.replace(/[^\P{Cc}\n]/gu, '');
const silence = new AbortController();
const timer = setTimeout(() => silence.abort(new Error('The connection is dead.')), 30_000);

const response = await fetch(`${url}/api/v1/query`, {
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'x-svc-team': team, 'content-type': 'application/json' },
  body: JSON.stringify({ q: process.argv[2] }),
  redirect: 'error',
  signal: silence.signal,
});
if (!response.ok) {
  const { code, detail } = await response.json();
  throw new Error(`${detail} (${code})`);
}

let rest = '';
let isWhole = false;
for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
  timer.refresh();
  const events = `${rest}${text}`.split('\n\n');
  rest = events.pop();
  for (const event of events) {
    const name = /^event: (.*)$/m.exec(event)?.[1];
    const data = JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '{}');
    if (name === 'delta') process.stdout.write(printable(data.text));
    if (name === 'sources') {
      console.log(
        ['', ...data.map(({ row_key }, index) => `[${index + 1}] ${printable(row_key)}`)].join('\n'),
      );
    }
    if (name === 'error') throw new Error(`${data.detail} (${data.code})`);
    if (name === 'done') isWhole = true;
  }
}
clearTimeout(timer);
if (!isWhole) throw new Error('The answer was cut.');
