/** Why a key is destroyed, where a test does not care. */
export const DESTRUCTION = { at: '2026-11-21T10:00:00.000Z', eventId: 'event' } as const;
