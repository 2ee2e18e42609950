// `npm run eval -- --set <folder>` measures a collection of documents and questions, `npm run eval -- --memory` the
// answers from memories of teams, and with --ablate what each rule has a part in; the commands say more.
if (process.argv.includes('--ablate')) await import('./ablate-command.ts');
else if (process.argv.includes('--memory')) await import('./memory-command.ts');
else await import('./collection-command.ts');
