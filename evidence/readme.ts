import { counted } from '../kernel/counted.ts';
import { LIMITS } from './verify/cannotProve.ts';

type Facts = Readonly<{
  submissionId: string;
  exportedAt: string;
  service: string;
  key: string;
  redacted: number;
  missing: number;
  /** How many of the missing files the store has, but damaged. */
  damaged: number;
  cleared: number;
}>;

/** The package's README.txt. */
export const readmeOf = (facts: Facts): string => `\
Evidence of submission ${facts.submissionId}
exported at ${facts.exportedAt} by ${facts.service}, signed by the key ${facts.key}

What is here
  events.jsonl       every event of the submission's stream, one JSON text a line. "stored" is the event as the log holds it:
                     [id, type, data, metadata]; "private" is what its sealed part said when this was exported.
  deliveries/        the stream of each webhook that the submission caused, in the same form
  files/             the files as they were when they were submitted
  decisions.json     what people decided: who, when, on account of which request
  deliveries.json    each webhook with its attempts and its outcome
  files.json         each file: what was declared, what was checked, what is here
  state.json         the submission as its events left it
  manifest.json      every file with its size and SHA-256, every event with the hashes of its line and of its stored form
  manifest.sig       the Ed25519 signature of manifest.json, in base64

${lossNotes(facts)}How to verify it
  intake audit verify FOLDER-OR-ZIP --key PUBLICKEY
  on any machine. Get the public key from the operator of the service, on another way than this package: \`intake audit key\` prints it.
  Or in a browser, offline once it is open: /console/verify of a service that you trust. It does not make state.json again.
  Without the program: check manifest.sig against manifest.json (openssl pkeyutl -verify -rawin), then every file's SHA-256 against
  manifest.json (sha256sum). The SHA-256 of the text of the array after "stored": is the "prev" in the metadata of the next line.

What it can't prove
${LIMITS.map((limit) => `  - ${limit}`).join('\n')}
`;

const lossNotes = ({ redacted, missing, damaged, cleared }: Facts): string => {
  const notes = [
    redacted > 0
      ? `  - ${counted(redacted, 'private part')} ${redacted === 1 ? 'is' : 'are'} redacted: their key was destroyed, and nobody can read them any more.${missing > 0 ? '' : ' What is in files/ is whole all the same.'}`
      : null,
    missing > 0
      ? `  - ${counted(missing, 'file')} could not be had from the store (${damaged} of them damaged there): files.json and manifest.json name them.`
      : null,
    cleared > 0
      ? `  - of ${counted(cleared, 'webhook')} the log keeps the end alone: their time of retention was over.`
      : null,
  ].filter((note) => note !== null);
  return notes.length === 0 ? '' : `What is missing\n${notes.join('\n')}\n\n`;
};
