/** All that a verification can find, in English; the console has these, and translations, in its texts. */
export const SENTENCES = {
  missing: 'is missing',
  size: 'has {found} bytes, not {expected}',
  inflated: 'is not read: it would be far larger than it is here',
  bytesChanged: 'its bytes were changed: their SHA-256 is another one',
  unreadable: 'can’t be read: {why}',
  tooLong: 'it is longer than {expected} bytes',
  tooManyBytes: 'too many bytes: more than {expected}',
  tooFewBytes: 'too few bytes: {found} of {expected}',
  wrongSum: 'its bytes do not have the CRC-32 in the zip file',
  unknownPacking: 'it is compressed in an unknown way',
  noHeader: 'it has no header in front of its bytes',
  headerName: 'has another name in front of its bytes in the zip file',
  headerPacking: 'is packed in another way than the directory of the zip file says',
  twiceInZip: 'occurs twice in the zip file',
  folder: 'is a folder: a package has files only',
  link: 'is a link: a package has files only',
  noFile: 'is no file: a package has files only',
  encrypted: 'is encrypted',
  notJson: 'it is not JSON',
  tooDeep: 'it is nested too deeply',
  wrongWhole: 'it {why}',
  wrongMember: '{path} {why}',
  largeUnsigned: 'is not read: it is large, and its signature does not hold',
  noManifest: 'is no manifest of a known version: {why}',
  manifestRewritten: 'is not written as it was exported, though it can be read',
  otherKey: 'it was signed with the key {found}, the key given is {expected}',
  noSignature: 'is not a signature: the base64 of 64 bytes, and a line end',
  manifestUnsigned:
    'manifest.sig does not sign it with the key {key}: one of the two was changed, or it is another key',
  signatureOfOther:
    'does not sign manifest.json with the key {key}: one of the two was changed, or it is another key',
  noSubmissionStream: 'is not the stream of {id} in {path}',
  noDelivery: 'is not the delivery of an event of the submission',
  namesTwice: 'names a file twice',
  namesNot: 'does not name {path}',
  namesOther: 'names {path}, which no package has',
  notFirstHash: 'is not the hash of the first event',
  notLastHash: 'is not the hash of the last event',
  added: 'was added: the manifest does not name it',
  eventCount: {
    one: 'it names {count} event, {path} holds {found}',
    other: 'it names {count} events, {path} holds {found}',
  },
  notLineHash: 'is not the hash of the event’s line in {path}',
  otherInPlace: 'in its place is event {revision} ({type})',
  noEventInLine: 'it was changed: no event can be read from its line',
  lineChanged:
    'it was changed: its stored form is as exported; its stream, revision, position or opened private part is not',
  storedChanged: 'its stored form was changed',
  lineTwice: 'line {line} holds event {revision} ({type}) once more',
  lineAdded: 'line {line} holds what was not exported, or was changed',
  eventGone: 'it was removed or changed',
  lineTooLong: 'its line is longer than any event',
  lineNoEvent: 'its line is no event: {why}',
  lineRewritten: 'its line is not written as it was exported',
  wronglyOpened: 'it is opened where nothing is sealed, or the reverse',
  chainBreaks: 'the chain breaks: {why}',
  chainStart: 'the stream starts with it, and not with revision 0',
  chainBeforeFirst: 'it is the first of the stream, and names an event before it',
  chainGap: 'it follows on revision {revision}',
  chainOrder: 'its place in the log is not after that of the event before it',
  chainHash: 'its prev is not the hash of revision {revision} ({id}): one of the two was changed',
  chainTwice: 'its id occurs twice in the stream',
  otherStream: 'it is of the stream {found}',
  notMember: 'is not the {name} of the event in {path}',
  noState: 'no state can be made of its events: {why}',
  unsupported: 'this release does not support it: verify with one as new as {service}',
  documentRewritten: 'is not written as it was exported, though it reads the same',
  differs: 'is {found}, but the events and files give {expected}',
  nothing: 'nothing',
  missingFiles: {
    one: 'names {count} file as missing in the store; those that are not here are {found}',
    other: 'names {count} files as missing in the store; those that are not here are {found}',
  },
  none: 'none',
  notSubmitted: 'is no file that was submitted',
  wronglyRedacted: 'reads as redacted, but no event says that the submission was',
  fileRedacted: 'the file is not here: redacted at {at}, legal basis {basis}',
  partRedacted: 'nobody can read {name} any more: redacted at {at}, legal basis {basis}',
  sealedPart: 'what it sealed',
  noCertificate: 'is no certificate of a known version: {why}',
  certificateUnsigned: 'its signature is not that of the key {key}: it was changed, or it is of another key',
} as const;

export type FindingCode = keyof typeof SENTENCES;

/** What was found, by a code, with what its sentence names; `count` chooses the form of a plural. */
export type Said = Readonly<{ code: FindingCode; values: Readonly<Record<string, string | number | Said>> }>;

/** What was found, in English. */
export const sentenceOf = ({ code, values }: Said): string => {
  const text = SENTENCES[code];
  const form = typeof text === 'string' ? text : text[values.count === 1 ? 'one' : 'other'];
  return form.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'object' ? sentenceOf(value) : String(value);
  });
};
