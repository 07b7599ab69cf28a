import { documentProcessesContract } from '../documents.ts';
import { mongoDriver, onServer } from './server.ts';

const NAME = 'documents in MongoDB';

onServer(`${NAME}: processes`, () => documentProcessesContract(NAME, mongoDriver));
