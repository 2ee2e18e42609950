/** The package has no types of its own; these are the parts that tests use. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  /** A row of the provider: made, filled, and saved under the text that is answered. */
  class Row {
    constructor(fields: object);
    save(): Promise<string>;
  }

  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    on(event: string, listener: (...values: unknown[]) => void): this;
    readonly AuthorizationCode: typeof Row;
    readonly Client: { find(clientId: string): Promise<object> };
    readonly Grant: new (
      fields: object,
    ) => Row & { addResourceScope(resource: string, scope: string): void };
  }

  export const errors: { InvalidTarget: new () => Error };
}
