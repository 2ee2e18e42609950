/** Characters of the name of a program. */
const maxCharacters = 64;
/** Starts with a letter or digit, so that it is no punctuation, and has nothing that a terminal or a page would act on. */
const form = /^[A-Za-z0-9][A-Za-z0-9 ._:/@+-]*$/;

/** Whether a text may be noted as the name of a program: 1 to 64 plain characters. */
export function isClientName(text: string): boolean {
  return text.length <= maxCharacters && form.test(text);
}

/** Returns a program that speaks MCP by its own name: `mcp:` and the name, without what a name may not have. */
export function mcpClientName(name: unknown): string {
  if (typeof name !== 'string') return 'mcp';
  const plain = name.slice(0, 2 * maxCharacters).replace(/[^A-Za-z0-9 ._/@+-]+/g, '');
  const whole = `mcp:${plain}`.slice(0, maxCharacters).trimEnd();
  return whole === 'mcp:' ? 'mcp' : whole;
}

/**
 * Returns what a program of MCP calls itself in a message, or a batch: once in `initialize`, and by the revision 2026-07-28
 * in each message. Undefined if these say nothing.
 */
export function nameInMessages(body: unknown): unknown {
  for (const message of [body].flat()) {
    const { params } = (message ?? {}) as { params?: Record<string, unknown> | null };
    const meta = params?._meta as Record<string, unknown> | null | undefined;
    const info = meta?.['io.modelcontextprotocol/clientInfo'] ?? params?.clientInfo;
    const { name } = (info ?? {}) as { name?: unknown };
    if (name !== undefined) return name;
  }
  return undefined;
}
