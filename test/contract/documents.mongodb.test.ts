import { documentStoreContract } from './documents.ts';
import { mongoDriver, onServer } from './mongodbDocuments/server.ts';

onServer('documents in MongoDB', () => documentStoreContract('documents in MongoDB', mongoDriver));
