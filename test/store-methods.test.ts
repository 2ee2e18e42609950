import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSourceTree } from './architecture/source-tree.ts';
import { storeMethods, storeMethodsOf } from './architecture/store-methods.ts';

/** Stores and methods that do not take the team first, with the reason. */
const withoutTeam: Readonly<Record<string, string>> = {
  'KeyStore.findById': 'who presents a key is not known to be of a team before it is found',
  'SessionStore.findById': 'who presents a session is not known to be of a team before it is found',
  'SignInLinkStore.findById': 'nor is who presents a sign-in link',
  'AppTokenStore.findById': 'nor is who presents the token of an app',
  'InvitationStore.findById': 'nor is who presents an invitation',
  'PassageStore.teams': 'after a restore the rows of all teams are verified before the first question',
  'ProgressStore.all': 'those who follow the feeds of all teams begin with the list of these teams',
  'WebhookStore.allOn': 'events are delivered to the webhooks of all teams',
  'WebhookStore.countFailed': 'a metric counts those of all teams',
  'ProposalStore.removeDecided': 'what is kept too long leaves all teams alike',
  'TeamMarkStore.after': 'one look finds the changes of all teams',
  'TeamMarkStore.newestAt': 'that look begins at the newest of all teams',
  RegisteredAppStore: 'an app registers itself before anybody of a team lets it act',
  TeamStore: 'its rows are the teams',
  ServiceCredentialStore: 'services are of no team',
};

const excuses = (method: string) =>
  Object.keys(withoutTeam).filter((name) => name === method || name === method.split('.')[0]);

const found = storeMethods(readSourceTree(join(import.meta.dirname, '..')))
  .filter(({ firstParameter }) => firstParameter !== 'teamId')
  .map(({ name }) => name);

test('every store method takes the team first, but for the exceptions listed here with their reasons', () => {
  expect(found.filter((method) => excuses(method).length === 0)).toEqual([]);
});

test('every exception that is listed is still needed', () => {
  expect(
    Object.keys(withoutTeam).filter((name) => !found.some((method) => excuses(method).includes(name))),
  ).toEqual([]);
});

test('methods are found however they are written, and only in exported interfaces of stores', () => {
  const text = `
    export interface NoteStore {
      add(teamId: string, note: string): void;
      read: (id: string) => string;
      readonly size: number;
      close(): void;
    }
    interface HiddenStore { read(id: string): void }
    export interface Notes { read(id: string): void }`;
  expect(storeMethodsOf('note-store.ts', text)).toEqual([
    { name: 'NoteStore.add', firstParameter: 'teamId' },
    { name: 'NoteStore.read', firstParameter: 'id' },
    { name: 'NoteStore.close', firstParameter: undefined },
  ]);
});
