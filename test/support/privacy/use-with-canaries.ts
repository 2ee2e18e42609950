import { scan, snapshot } from '../analytics/valid-bodies.ts';
import { item } from '../http/api.ts';
import type { TeamClients } from '../http/key-holder.ts';
import { rpcCall } from '../rpc/rpc-call.ts';
import { asAdministrator } from '../service/as-administrator.ts';
import type { ObservedProgram } from '../service/observed-program.ts';

/** What a client of ours would send, at every place where it may send text, each with a word of its own. */
export async function useWithCanaries(
  { service, model }: ObservedProgram,
  { slug, team, external }: TeamClients,
  canary: () => string,
): Promise<void> {
  const question = `Where does the otter ${canary()} sleep?`;
  const text = `The otter ${question.split(' ')[4]} sleeps near ${canary()}.`;
  const frontmatter = { title: canary(), [canary()]: canary(), project: canary() };
  await team.push(
    item(`projects/${canary()}/${canary()}.md`, text, { frontmatter }),
    item(`${canary()}-tasks.md`, `# ${canary()}\n- [ ] ${canary()} @${canary()} #${canary()}\n`),
    item(`${canary()}.md`, canary(), { tier: 'private' }),
  );
  for (const list of ['items', 'tasks', 'decisions', 'projects']) await team.call(`/${list}`);
  model.script = (reply) => {
    reply.text(`In ${canary()} [1].`);
    reply.finish({ prompt_tokens: 10, completion_tokens: 5 });
  };
  await team.call('/query', { body: { q: question } });
  await asAdministrator(service, async (admin) => {
    await admin.decisions(slug).create({ title: canary(), body: canary(), audience: 'team' });
    await admin.createProject({ team: slug, slug: canary(), name: canary() });
    await admin.addMember({ team: slug, handle: canary(), role: 'member' });
  });
  const codebase = { slug: canary(), full_name: canary(), provider: canary() };
  await team.call('/codebases', { body: { ...scan(), codebase } });
  await team.call('/metrics', { body: snapshot({ member: canary(), [canary()]: canary() }) });
  await external.call(`/items?cursor=${canary()}`);
}

/** Everything that goes wrong in ways that a caller or a model causes, with canaries in what was sent. */
export async function causeFailuresWithCanaries(
  { service, model }: ObservedProgram,
  { slug, team, teamKey }: TeamClients,
  canary: () => string,
): Promise<void> {
  const headers = () => ({
    'x-request-id': `${canary()}/not-sane`,
    traceparent: canary(),
    tracestate: `${canary()}=${canary()}`,
    'user-agent': canary(),
  });
  const json = { 'content-type': 'application/json' };
  const raw = (path: string, key: string, teamSlug: string, init: RequestInit = {}) =>
    fetch(`${service.url}/api/v1${path}`, {
      ...init,
      headers: { ...json, authorization: `Bearer ${key}`, 'x-svc-team': teamSlug, ...headers() },
    }).then((response) => response.text());
  await raw('/items', `tms_${canary()}_${canary()}`, slug);
  await raw('/items', teamKey, canary());
  await raw(`/${canary()}?${canary()}=${canary()}`, teamKey, slug);
  await raw(`/%ff${canary()}`, teamKey, slug);
  for (const body of [`{"q": "${canary()}`, `{"q": {"${canary()}": 1}}`]) {
    await raw('/query', teamKey, slug, { method: 'POST', body });
  }
  await raw(`/items/${canary()}`, teamKey, slug, { method: 'DELETE' });
  await raw(`/items/${canary()}`, teamKey, slug, { method: 'PUT' });
  const many = Array.from({ length: 60 }, () => item(`${canary()}.md`, canary()));
  await team.call('/items', { body: { items: many } });
  // Enough of it stands in what was pushed for the model to be asked.
  const ask = () => team.call('/query', { body: { q: `Where sleeps the otter, near what? ${canary()}` } });
  await failingModels({ model, ask }, canary);
  for (const authorization of [undefined, `Bearer ${canary()}`, `Bearer e30.${canary()}.${canary()}`]) {
    for (const protocol of ['connect', 'grpc', 'grpc-web'] as const) {
      const message = { teamId: canary() };
      const call = {
        rpcUrl: service.rpcUrl,
        protocol,
        message,
        method: 'teammemory.auth.v1.AuthService/GetTeam',
      };
      await rpcCall(authorization === undefined ? call : { ...call, authorization });
    }
  }
}

async function failingModels(
  { model, ask }: { model: ObservedProgram['model']; ask: () => Promise<unknown> },
  canary: () => string,
): Promise<void> {
  const complaint = () => JSON.stringify({ error: { message: canary(), code: canary() } });
  const scripts: ObservedProgram['model']['script'][] = [
    (reply) => reply.status(401, { 'x-canary': canary() }, complaint()),
    (reply) => reply.die(),
    (reply) => {
      reply.text(`${canary()} `, canary());
      reply.die();
    },
    (reply) => {
      reply.text(canary());
      reply.event({ error: { message: canary() } });
      reply.end();
    },
    (reply) => reply.raw(`data: {"${canary()}\n\n`).then(reply.end),
  ];
  for (const script of scripts) {
    model.script = script;
    await ask();
  }
}
