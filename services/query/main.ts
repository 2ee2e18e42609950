import { runProcess } from '@teammemory/process/run-process.ts';
import { serveService } from '@teammemory/process/serve-service.ts';
import { createTokenSigner } from '@teammemory/rpc/caller-token.ts';
import { readQuerySettings } from './config.ts';
import { createQueryService } from './service.ts';

await runProcess(async () => {
  const settings = readQuerySettings();
  return serveService('query', settings, ({ transportTo, ...resources }) => {
    const signer = createTokenSigner({ privateKey: settings.SIGNING_KEY, clock: resources.clock });
    return createQueryService({
      ...resources,
      contentTransport: transportTo(settings.CONTENT_URL),
      serviceToken: (audience) =>
        signer.sign({ kind: 'service', name: 'query', scopes: ['feed:read'] }, audience),
      indexMemoryMb: settings.INDEX_MEMORY_MB,
      spending: {
        dailyMemberCapUsd: settings.DAILY_MEMBER_CAP_USD,
        dailyTeamCapUsd: settings.DAILY_TEAM_CAP_USD,
        modelPrices: settings.MODEL_PRICES,
      },
      model: {
        apiKey: settings.OPENAI_API_KEY,
        baseUrl: settings.OPENAI_BASE_URL,
        model: settings.OPENAI_MODEL,
      },
      embedding: {
        model: settings.OPENAI_EMBEDDING_MODEL,
        baseUrl: settings.OPENAI_EMBEDDING_BASE_URL,
        apiKey: settings.OPENAI_EMBEDDING_API_KEY,
      },
    });
  });
});
