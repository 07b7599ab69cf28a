/** The filters, by their names in the address and the API. */
export const FILTERS = [
  ...(['status', 'eventType', 'sessionId', 'keyId', 'endpointId'] as const),
  ...(['createdAfter', 'createdBefore'] as const),
] as const;
/** The filters of the list; empty where one is not set. */
export type Filters = Readonly<Record<(typeof FILTERS)[number], string>>;
