import type { WorkflowVersion } from '../workflow.ts';
import type { Forced } from './forced.ts';

/** The origin of the http extractor that reads a submission's files; absent where they are read here, or by nobody. */
export type ReadBy = Readonly<{ readBy?: string }>;

/** Who reads the files of a version's submissions. */
export const readByOf = ({ processing: { extractor } }: Pick<WorkflowVersion, 'processing'>): ReadBy =>
  typeof extractor === 'object' ? { readBy: new URL(extractor.http.url).origin } : {};

/** Who is to read them: nobody opens files whose outcome is forced (test mode), and none of these waits for an extractor. */
export const reading = ({ readBy }: ReadBy, forced: Forced | null): ReadBy =>
  readBy === undefined || forced?.outcome ? {} : { readBy };
