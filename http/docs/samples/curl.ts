import { addressOf, fileOf, type SampleCall } from './call.ts';

/** A call by curl. */
export const curl = (call: SampleCall, base: string): string => {
  const { method, body, credential } = call;
  const file = fileOf(call);
  const parts = [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} ${quoted(addressOf(call, base))}`,
    ...(credential ? [`-H "Authorization: Bearer $${credential}"`] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`]),
    ...(file ? [`-o ${file}`] : []),
  ];
  return parts.join(' \\\n  ');
};

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
