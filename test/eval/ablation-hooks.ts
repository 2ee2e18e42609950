import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Rule } from './ablation-rules.ts';

/** A module loaded as it is, beside the one that replaces it. */
const asItIs = '?as-it-is';
const service = new URL('../../services/query/', import.meta.url);

let off: Rule | undefined;
/** Each takes over the exports of one module for the rule that is off. */
const takingOver: (() => void)[] = [];

/**
 * Makes the exports of the modules that rules name replaceable in this process. To be called before these modules are
 * loaded: each is replaced by one that exports the same under names that can change.
 */
export function makeReplaceable(all: readonly Rule[]): void {
  const namesOf = new Map<string, Set<string>>();
  for (const { module, exports } of all.flatMap(({ replaced }) => replaced)) {
    const { href } = new URL(module, service);
    namesOf.set(href, new Set([...(namesOf.get(href) ?? []), ...Object.keys(exports)]));
  }
  registerHooks({
    load(url, context, nextLoad) {
      const names = namesOf.get(url);
      if (names === undefined) return nextLoad(url, context);
      return { format: 'module', source: replaceable(url, [...names]), shortCircuit: true };
    },
  });
}

/** Lets one rule do nothing, or with undefined all of them work again. */
export function switchOff(rule: Rule | undefined): void {
  off = rule;
  for (const takeOver of takingOver) takeOver();
}

/** For the modules made by `replaceable`: hands out their exports, now and whenever a rule is switched. */
export function onSwitch(
  url: string,
  original: Readonly<Record<string, unknown>>,
  takeOver: (exports: Readonly<Record<string, unknown>>) => void,
): void {
  const exportsNow = () => {
    const replaced = off?.replaced.filter(({ module }) => new URL(module, service).href === url) ?? [];
    const exportsOfModule = { ...original };
    for (const { exports } of replaced)
      for (const [name, replacement] of Object.entries(exports))
        exportsOfModule[name] = replacement(exportsOfModule[name] as never);
    return exportsOfModule;
  };
  takingOver.push(() => takeOver(exportsNow()));
  takeOver(exportsNow());
}

function replaceable(url: string, names: readonly string[]): string {
  const listed = names.join(', ');
  return `
    import * as original from ${JSON.stringify(url + asItIs)};
    import { onSwitch } from ${JSON.stringify(import.meta.url)};
    export * from ${JSON.stringify(url + asItIs)};
    let ${listed};
    onSwitch(${JSON.stringify(url)}, original, (exports) => { ({ ${listed} } = exports); });
    export { ${listed} };
  `;
}

/** The path of a file that a rule names. */
export function pathOf(file: string): string {
  return fileURLToPath(new URL(file, service));
}
