import { addressOf, fileOf, type SampleCall } from './call.ts';
import { asPython, literal } from './literal.ts';

/** A call by Python, with the package `requests`. */
export const python = (call: SampleCall, base: string): string => {
  const { method, query, body, credential } = call;
  const file = fileOf(call);
  const options = [
    `'${addressOf({ ...call, query: {} }, base)}'`,
    ...(credential ? [`headers={'Authorization': f'Bearer {os.environ["${credential}"]}'}`] : []),
    ...(Object.keys(query).length > 0 ? [`params=${literal(query, asPython, 1)}`] : []),
    ...(body === undefined ? [] : [`json=${literal(body, asPython, 1)}`]),
    'timeout=30',
  ];
  return `${credential ? 'import os\n\n' : ''}import requests

response = requests.${method}(
${options.map((option) => `    ${option},\n`).join('')})
response.raise_for_status()
${shown(call, file)}`;
};

const shown = ({ media }: SampleCall, file: string | null): string => {
  if (media === null) return '';
  if (file) return `with open('${file}', 'wb') as file:\n    file.write(response.content)\n`;
  return media.endsWith('json') ? 'print(response.json())\n' : 'print(response.text)\n';
};
