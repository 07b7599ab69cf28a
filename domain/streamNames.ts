/** The stream of a submission and its session: `submission-<ulid>`. Both identifiers end in the same ULID. */
export const submissionStream = (id: string): string => `submission-${id.slice(4)}`;

/** `sub_X` for `ses_X`, and for `sub_X` itself. */
export const submissionIdOf = (id: string): string => `sub_${id.slice(4)}`;

/** `ses_X` for `sub_X`, and for `ses_X` itself. */
export const sessionIdOf = (id: string): string => `ses_${id.slice(4)}`;

/** Whose key seals where the last webhook of a redacted submission goes: it outlives the submission's own. */
export const redactionSubject = (submissionId: string): string => `redaction_${submissionId.slice(4)}`;

/** The stream of a delivery, by its identifier: that of its event, or `<eventId>.<ulid of the endpoint>`. */
export const webhookDeliveryStream = (deliveryId: string): string => `webhookDelivery-${deliveryId}`;

/** The event of a delivery. */
export const eventIdOf = (deliveryId: string): string => deliveryId.replace(/\..*$/, '');
