/**
 * The text whose SHA-256 the next event of a stream carries as `metadata.prev`: the JSON of
 * [id, type, data, metadata] as stored. To parse and write JSON changes neither the order of members nor the
 * form of numbers, so it is the same when written and whenever it is read.
 */
export const hashedText = ({
  id,
  type,
  data,
  metadata,
}: Readonly<{ id: string; type: string; data: unknown; metadata: unknown }>): string =>
  JSON.stringify([id, type, data, metadata]);
