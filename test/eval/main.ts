// `npm run eval -- --set <folder>` measures a collection of documents and questions, `npm run eval -- --memory` the
// answers from memories of teams; the two commands say more.
if (process.argv.includes('--memory')) await import('./memory-command.ts');
else await import('./collection-command.ts');
