import { runProcess } from '@teammemory/process/run-process.ts';
import { serveService } from '@teammemory/process/serve-service.ts';
import { createServiceToken, createTokenSigner } from '@teammemory/rpc/auth/caller-token.ts';
import { readAnalyticsSettings } from './config.ts';
import { createAnalyticsService } from './service.ts';

await runProcess(async () => {
  const settings = readAnalyticsSettings();
  return serveService('analytics', settings, ({ transportTo, ...resources }) => {
    const signer = createTokenSigner({ privateKey: settings.SIGNING_KEY, clock: resources.clock });
    return createAnalyticsService({
      ...resources,
      authTransport: transportTo(settings.AUTH_URL),
      serviceToken: createServiceToken({ ...resources, signer, name: 'analytics', scopes: ['auth:read'] }),
    });
  });
});
