// For mongosh: the user that Intake connects as. One who is there is given the password, and keeps whatever else was granted to it.
const { MONGODB_ROOT_PASSWORD, MONGODB_PASSWORD } = process.env;
if (!MONGODB_PASSWORD) throw new Error('MONGODB_PASSWORD must be set: the password of the user intake');
db.getSiblingDB('admin').auth('root', MONGODB_ROOT_PASSWORD);
const intake = db.getSiblingDB('intake');
if (intake.getUser('intake')) intake.updateUser('intake', { pwd: MONGODB_PASSWORD });
else
  intake.createUser({
    user: 'intake',
    pwd: MONGODB_PASSWORD,
    roles: [{ role: 'readWrite', db: 'intake' }],
  });
