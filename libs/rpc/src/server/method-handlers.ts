import type { DescMethod } from '@bufbuild/protobuf';
import { type ConnectRouterOptions, createConnectRouter, type HandlerContext } from '@connectrpc/connect';
import type { UniversalHandler } from '@connectrpc/connect/protocol';

/** What a method does, of any kind: Connect's type of it is one for each. */
export type MethodImplementation = (request: never, context: HandlerContext) => unknown;

/** What answers the calls of methods, by their path. */
export interface MethodHandlers {
  add(method: DescMethod, implementation: MethodImplementation, options?: ConnectRouterOptions): void;
  get(path: string): UniversalHandler | undefined;
}

/**
 * Makes each handler at the first call of its method: one takes 10 kB, there are hundreds, and few are called. Which
 * protocols there are is read from the options of a method alone, all others from `shared` as well.
 */
export function createMethodHandlers(shared?: ConnectRouterOptions): MethodHandlers {
  const makers = new Map<string, () => UniversalHandler | undefined>();
  const made = new Map<string, UniversalHandler | undefined>();
  return {
    add(method, implementation, options) {
      const make = () =>
        createConnectRouter(shared).rpc(method, implementation as never, options).handlers[0];
      makers.set(`/${method.parent.typeName}/${method.name}`, make);
    },
    get(path) {
      const make = makers.get(path);
      return make && made.getOrInsertComputed(path, make);
    },
  };
}
