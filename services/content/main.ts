import { runProcess } from '@teammemory/process/run-process.ts';
import { serveService } from '@teammemory/process/serve-service.ts';
import { createServiceToken, createTokenSigner } from '@teammemory/rpc/auth/caller-token.ts';
import { contentOptions, readContentSettings } from './config.ts';
import { createContentService } from './service.ts';

await runProcess(async () => {
  const settings = readContentSettings();
  return serveService('content', settings, ({ transportTo, ...resources }) => {
    const signer = createTokenSigner({ privateKey: settings.SIGNING_KEY, clock: resources.clock });
    return createContentService({
      ...resources,
      ...contentOptions(settings),
      auth: {
        transport: transportTo(settings.AUTH_URL),
        serviceToken: createServiceToken({ ...resources, signer, name: 'content', scopes: ['auth:read'] }),
      },
    });
  });
});
