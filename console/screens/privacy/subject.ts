import { given } from '../../app/router.ts';

/** Whose submissions: as the client named the person. Both narrow; empty for not said. */
export type Subject = Readonly<{ clientSubmissionId: string; metadata: string }>;

/** The same as members of a query or of a body. */
export const namesIn = (subject: Subject): Partial<Subject> => given(subject);

/** What of it a person types to confirm. */
export const nameOf = ({ clientSubmissionId, metadata }: Subject): string => metadata || clientSubmissionId;
