import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

/** The script runs in mongosh, which calls it with `db`, `rs` and `quit`; CI has neither mongosh nor mongod. */
const script = readFileSync(join(import.meta.dirname, '../deploy/mongodb-ready.js'), 'utf8');

interface User {
  user: string;
  pwd: string;
  roles: (string | { role: string; db: string })[];
}

/** What mongosh needs of a server that requires passwords, as MongoDB documents its localhost exception. */
function server(state: { founded: boolean; primary: boolean; users: User[] }) {
  let signedIn = false;
  const mayWrite = () => {
    if (!state.primary) throw new Error('NotWritablePrimary');
    if (!signedIn && state.users.length > 0) throw new Error('Unauthorized');
  };
  const admin = {
    auth(user: string, pwd: string) {
      if (!state.users.some((one) => one.user === user && one.pwd === pwd))
        throw new Error('AuthenticationFailed');
      signedIn = true;
      return { ok: 1 };
    },
    createUser(user: User) {
      mayWrite();
      if (state.users.some((one) => one.user === user.user)) throw new Error('UserAlreadyExists');
      state.users.push({ ...user, roles: [...user.roles] });
    },
    getUser: (name: string) => state.users.find(({ user }) => user === name) ?? null,
    grantRolesToUser(name: string, roles: User['roles']) {
      mayWrite();
      admin.getUser(name)?.roles.push(...roles);
    },
  };
  const initiate = () => {
    if (state.founded || (!signedIn && state.users.length > 0)) throw new Error('Unauthorized');
    state.founded = true;
  };
  const hello = () => ({
    ...(state.founded ? { setName: 'rs0' } : {}),
    isWritablePrimary: state.founded && state.primary,
  });
  return { admin, initiate, hello };
}

/** Runs the health check once; returns its exit code. */
function check(state: Parameters<typeof server>[0], database = 'team_memory'): number {
  const { admin, initiate, hello } = server(state);
  const ended = { code: 0 };
  const globals = {
    db: { getSiblingDB: () => admin, hello, getName: () => database },
    rs: { initiate },
    quit(code: number) {
      throw Object.assign(ended, { code });
    },
    require: () => ({ readFileSync: (path: string) => `secret of ${path.split('/').at(-1)}\n` }),
  };
  try {
    runInNewContext(script, globals);
  } catch (error) {
    if (error !== ended) throw error;
  }
  return ended.code;
}

const role = { role: 'readWrite', db: 'team_memory' };
const users = [
  { user: 'root', pwd: 'secret of root-password', roles: ['root'] },
  { user: 'parts', pwd: 'secret of parts-password', roles: [role] },
];

test('the health check of MongoDB founds the replica set, then its users, and is content after that', () => {
  const state = { founded: false, primary: false, users: [] };
  expect(check(state)).toBe(1);
  expect(state).toEqual({ founded: true, primary: false, users: [] });
  expect(check(state)).toBe(1);
  state.primary = true;
  expect(check(state)).toBe(0);
  expect(state.users).toEqual(users);
  expect(check(state)).toBe(0);
  expect(state.users).toEqual(users);
});

test('a replica set from before there were passwords gets them', () => {
  const state = { founded: true, primary: true, users: [] };
  expect(check(state)).toBe(0);
  expect(state.users).toEqual(users);
});

test('the parts may use the database that is set, once it is another one', () => {
  const state = { founded: true, primary: true, users: structuredClone(users) as User[] };
  expect(check(state, 'other')).toBe(0);
  expect(check(state, 'other')).toBe(0);
  expect(state.users[1]?.roles).toEqual([role, { role: 'readWrite', db: 'other' }]);
});

test('a server that takes no writes, or whose root has another password, is not healthy', () => {
  expect(check({ founded: true, primary: false, users: structuredClone(users) as User[] })).toBe(1);
  const other = [{ user: 'root', pwd: 'another', roles: [] }];
  expect(() => check({ founded: true, primary: true, users: other })).toThrow('Unauthorized');
});
