// Run by the health check of docker-compose.yml in mongosh, inside MongoDB's container: ends with exit code 0 once the
// server is a replica set of one, has the user of the parts, and takes writes. It founds what is missing. Without any user,
// MongoDB lets callers of its own machine do this; so a server from before there were passwords gets them, too. The database
// that mongosh is connected to is the one that the parts may use.
const { readFileSync } = require('node:fs');

const admin = db.getSiblingDB('admin');
const secret = (name) => readFileSync(`/keys/mongodb/${name}`, 'utf8').trim();
const root = { user: 'root', pwd: secret('root-password') };

function founded() {
  try {
    return admin.auth(root.user, root.pwd).ok === 1;
  } catch {
    return false;
  }
}

if (!founded()) {
  // An election follows, so the user is made by one of the next runs.
  if (!db.hello().setName) rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'mongodb:27017' }] });
  if (!db.hello().isWritablePrimary) quit(1);
  admin.createUser({ ...root, roles: ['root'] });
  if (!founded()) quit(1);
}
if (!db.hello().isWritablePrimary) quit(1);
const roles = [{ role: 'readWrite', db: db.getName() }];
const parts = admin.getUser('parts');
if (parts === null) admin.createUser({ user: 'parts', pwd: secret('parts-password'), roles });
else if (!parts.roles.some((role) => role.db === roles[0].db)) admin.grantRolesToUser('parts', roles);
