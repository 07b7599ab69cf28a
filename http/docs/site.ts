import type { OpenApi } from '../openapi/types.ts';
import type { Shelf } from './guides/guide.ts';

/**
 * All that the pages tell: the document of the API, the guides, and the service's address, without a slash at
 * its end.
 */
export type Site = Readonly<{ document: OpenApi; shelves: readonly Shelf[]; address: string }>;
