// Makes the user that Intake connects as, and lets it read $all: with that it needs no administrator's rights.
// Doing it again sets the password where it is another one, and changes nothing else.
// EVENTSTOREDB_ADMIN_URL: a connection string with an administrator's credentials.
// EVENTSTOREDB_PASSWORD: the user's password.
import { runUserProgram } from '../../dist/stores/events/eventstoredb/userProgram.js';

const { code, text } = await runUserProgram(process.env);
// At once: what a server that does not answer has left open is not waited for.
process[code === 0 ? 'stdout' : 'stderr'].write(`${text}\n`, () => process.exit(code));
