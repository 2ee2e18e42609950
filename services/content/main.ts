import { runProcess } from '@teammemory/process/run-process.ts';
import { serveService } from '@teammemory/process/serve-service.ts';
import { contentOptions, readContentSettings } from './config.ts';
import { createContentService } from './service.ts';

await runProcess(async () => {
  const settings = readContentSettings();
  return serveService('content', settings, (resources) =>
    createContentService({ ...resources, ...contentOptions(settings) }),
  );
});
