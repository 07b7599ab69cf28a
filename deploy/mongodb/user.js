// Run once, by the image's entry point, on an empty data folder: the user that Intake connects as.
const { MONGODB_PASSWORD } = process.env;
db.getSiblingDB('intake').createUser({
  user: 'intake',
  pwd: MONGODB_PASSWORD,
  roles: [{ role: 'readWrite', db: 'intake' }],
});
