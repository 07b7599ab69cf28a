import { apiKey } from '../../domain/apiKey.ts';
import { closed, nullable, Type } from '../../kernel/schema.ts';
import type { StreamEntry } from './event.ts';
import { KeyId, Mode, text } from './parts.ts';

const scope = { keyId: KeyId, companyId: nullable(text('null for an unscoped key')), mode: Mode };

/** An API key's events. What the key itself is stands in no event. */
export const apiKeyEvents = {
  category: apiKey.category,
  events: {
    ApiKeyCreated: {
      about: 'A key was made.',
      writtenBy: ['commands/administer.ts'],
      versions: [
        closed({
          ...scope,
          name: nullable(Type.String()),
          createdBy: text('`operator`, or the user who made it'),
        }),
      ],
    },
    ApiKeyRevoked: {
      about: 'A key was revoked.',
      writtenBy: ['commands/administer.ts'],
      versions: [closed(scope)],
    },
  },
} as const satisfies StreamEntry;
