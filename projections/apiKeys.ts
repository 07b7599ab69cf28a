import type { ApiKeyEvent } from '../domain/apiKey.ts';
import { newestBy, type Projection } from './engine/projection.ts';

/** An API key without its hash. */
export type ApiKeyDocument = Readonly<{
  id: string;
  name: string | null;
  companyId: string | null;
  mode: string;
  createdAt: string;
  createdBy: string;
  revokedAt: string | null;
}>;

/** The API keys, for operators. */
export const apiKeys: Projection<ApiKeyDocument, ApiKeyEvent> = {
  name: 'apiKeys',
  version: 1,
  prefixes: ['apiKey-'],
  indexes: [{ name: 'newest', sort: newestBy('createdAt') }],
  keys: ({ data }) => [data.keyId],
  on: {
    ApiKeyCreated: (_document, { data, metadata }) => {
      const { keyId: id, companyId, mode, name, createdBy } = data;
      return { id, name, companyId, mode, createdAt: metadata.at, createdBy, revokedAt: null };
    },
    ApiKeyRevoked: (document, { metadata }) => document && { ...document, revokedAt: metadata.at },
  },
};
