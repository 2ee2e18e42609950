import type { DescMethod } from '@bufbuild/protobuf';
import { type ConnectRouterOptions, createConnectRouter, type HandlerContext } from '@connectrpc/connect';
import type { UniversalHandler } from '@connectrpc/connect/protocol';

/** Implements a method, whether unary or streaming: Connect has a type for each of these kinds. */
export type MethodImplementation = (request: never, context: HandlerContext) => unknown;

/** Handlers of methods, by the path of a call. */
export interface MethodHandlers {
  add(method: DescMethod, implementation: MethodImplementation, options?: ConnectRouterOptions): void;
  get(path: string): UniversalHandler | undefined;
}

/**
 * Returns handlers that are made at the first call of their method: one takes 10 kB, there are hundreds, and few are
 * called. `shared` are options of all methods. Connect reads the protocols from a method's own options, if it has any.
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
