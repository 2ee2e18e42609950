// `npm run openapi` writes docs/openapi.json, the committed copy of the document. A test compares the two.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from './document.ts';

const file = join(import.meta.dirname, '../../docs/openapi.json');
writeFileSync(file, `${JSON.stringify(openApiDocument(), null, 2)}\n`);
