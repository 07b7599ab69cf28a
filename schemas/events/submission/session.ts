import { anyObject, closed, meaning, nullable, Type } from '../../../kernel/schema.ts';
import type { EventEntry } from '../event.ts';
import {
  change,
  FraudStatus,
  privately,
  reader,
  record,
  routing,
  Status,
  text,
  time,
  whole,
} from '../parts.ts';

const place = {
  fileId: Type.String(),
  fileIndex: whole('its place, from 0'),
  label: Type.String(),
};

const Slot = closed({
  ...place,
  mimeType: nullable(text('as declared; null where nothing was')),
  fileSize: nullable(whole('in bytes, likewise')),
  sha256: nullable(text('hex, likewise')),
});

const SubmittedFile = closed({
  ...place,
  mimeType: Type.String(),
  fileSize: whole('in bytes'),
  etag: text('the object store’s mark of the very bytes that were checked'),
});

const Workflow = closed({
  id: Type.String(),
  slug: Type.String(),
  name: Type.String(),
  version: Type.Integer(),
});

/** What a session tells. */
export const sessionEvents = {
  SessionCreated: {
    about: 'A session was opened, and with it a submission in status created.',
    writtenBy: ['commands/openSession.ts'],
    versions: [
      closed({
        ...routing,
        ...change,
        workflow: meaning(Workflow, 'the version that it is processed with for ever'),
        expiresAt: time('until when it can be submitted'),
        slots: meaning(Type.Array(Slot), 'the places for its files'),
        notifies: Type.Boolean({ description: 'whether there is a webhookUrl' }),
        private: privately({
          webhookUrl: nullable(Type.String()),
          clientSubmissionId: nullable(text('what the client calls it')),
          metadata: nullable(anyObject('the client’s own')),
          batchRef: nullable(Type.String()),
          fileNames: record(Type.String(), 'by fileId'),
        }),
      }),
    ],
  },
  SessionSubmitted: {
    about: 'Its uploads were checked and copied: it waits to be processed.',
    writtenBy: ['commands/submitSession.ts'],
    versions: [
      closed({
        ...routing,
        files: Type.Array(SubmittedFile),
        forced: Type.Optional(
          meaning(
            closed({ outcome: nullable(Status), fraud: nullable(FraudStatus) }),
            'what its metadata force in test mode; absent where they force nothing',
          ),
        ),
        ...reader,
      }),
    ],
  },
  SessionExpired: {
    about: 'It was not submitted in time.',
    writtenBy: ['commands/expireSession.ts', 'commands/submitSession.ts'],
    versions: [closed({ ...routing, ...change })],
  },
} as const satisfies Readonly<Record<string, EventEntry>>;
