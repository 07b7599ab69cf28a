import { documentProcessesContract } from '../documents.ts';
import { sqliteDriver } from './folder.ts';

documentProcessesContract('documents in SQLite', sqliteDriver);
