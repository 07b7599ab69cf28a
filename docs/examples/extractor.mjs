// An http extractor: makes sure who asks, fetches the files by their links, and answers the fields that it finds.
// EXTRACTOR_SECRET=… PORT=8080 node extractor.mjs, behind a proxy that speaks https.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const { EXTRACTOR_SECRET: secret } = process.env;
const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret;
const hmac = (signed) => createHmac('sha256', key).update(signed).digest('base64');

const isOurs = (headers, body) => {
  const { 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': signature = '' } = headers;
  const [given, expected] = [signature, `v1,${hmac(`${id}.${sentAt}.${body}`)}`].map((one) => Buffer.from(one));
  const isFresh = Math.abs(Date.now() / 1000 - Number(sentAt)) < 300;
  return isFresh && given.length === expected.length && timingSafeEqual(given, expected);
};

const fetchFile = async ({ label, url, sha256 }) => {
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes.toString();
  throw new Error(`${label} could not be fetched`);
};

// What yours does better: this one takes lines such as "Total: 80.90" of text files.
const find = (lines, { name, type }) => {
  const line = lines.find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  const value = line?.slice(name.length + 1).trim() ?? null;
  return value !== null && ['number', 'integer'].includes(type) ? Number(value) : value;
};

const extract = async ({ files, outputSchema }) => {
  const lines = (await Promise.all(files.map(fetchFile))).join('\n').split('\n');
  const fields = Object.fromEntries(outputSchema.map((field) => [field.name, find(lines, field)]));
  if (Object.values(fields).every((value) => value === null))
    return { status: 'failed', reason: 'The files have no line that begins with the name of a field.' };
  return { fields, confidences: Object.fromEntries(Object.keys(fields).map((name) => [name, 0.95])) };
};

const server = createServer(async (request, response) => {
  const answer = (status, body) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  try {
    const body = await text(request);
    if (!isOurs(request.headers, body)) return answer(401, { error: 'not signed by Intake' });
    answer(200, await extract(JSON.parse(body)));
  } catch (error) {
    answer(500, { error: error.message }); // it asks again later
  }
});
server.listen(process.env.PORT ?? 8080, () => console.log(`listening on port ${server.address().port}`));
