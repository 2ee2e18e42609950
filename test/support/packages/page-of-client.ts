import vm from 'node:vm';
import { build } from 'esbuild';

const program = `
  import { createTeamMemoryClient, saveItem } from '@teammemory/client';
  globalThis.run = async (options) => {
    const client = createTeamMemoryClient(options);
    await saveItem(client, { row_key: 'deploying.md', content: 'We deploy on Tuesdays.' }, null);
    const rowKeys = [];
    for await (const { row_key } of client.items()) rowKeys.push(row_key);
    let answer = '';
    for await (const event of client.ask('When do we deploy?')) if (event.type === 'delta') answer += event.text;
    return { rowKeys, answer };
  };`;

interface PageOfClient {
  bytes: number;
  /** Saves a note, lists all, and asks a question. */
  run(options: { url: string; team: string; key: string }): Promise<{ rowKeys: string[]; answer: string }>;
}

/** Bundles a program with the client that is installed in `folder`, and loads it where there is nothing but what browsers have. */
export async function pageOfClient(folder: string): Promise<PageOfClient> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: folder },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    minify: true,
    write: false,
  });
  const page = {
    fetch,
    Headers,
    URL,
    URLSearchParams,
    AbortController,
    AbortSignal,
    DOMException,
    crypto,
    TextEncoder,
    TextDecoder,
    ReadableStream,
    setTimeout,
    clearTimeout,
  } as Record<string, unknown>;
  vm.runInNewContext(outputFiles[0]?.text ?? '', page);
  return { bytes: outputFiles[0]?.contents.length ?? 0, run: page.run as PageOfClient['run'] };
}
