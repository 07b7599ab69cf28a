/** The stream of a submission and its session: `submission-<ulid>`. Both identifiers end in the same ULID. */
export const submissionStream = (id: string): string => `submission-${id.slice(4)}`;

/** `sub_X` for `ses_X`, and for `sub_X` itself. */
export const submissionIdOf = (id: string): string => `sub_${id.slice(4)}`;

/** `ses_X` for `sub_X`, and for `ses_X` itself. */
export const sessionIdOf = (id: string): string => `ses_${id.slice(4)}`;

/** The stream of the delivery of an event. */
export const webhookDeliveryStream = (eventId: string): string => `webhookDelivery-${eventId}`;
