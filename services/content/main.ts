import { runProcess } from '@teammemory/process/run-process.ts';
import { serveService } from '@teammemory/process/serve-service.ts';
import { readContentSettings } from './config.ts';
import { createContentService } from './service.ts';

await runProcess(async () => {
  const settings = readContentSettings();
  return serveService('content', settings, (resources) =>
    createContentService({ ...resources, itemHistory: settings.ITEM_HISTORY }),
  );
});
