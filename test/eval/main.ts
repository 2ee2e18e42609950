// `npm run eval -- --set <folder>` measures a collection of documents and questions, `npm run eval -- --memory` the
// answers from memories of teams; the two commands say more.
await import(process.argv.includes('--memory') ? './memory-command.ts' : './collection-command.ts');
