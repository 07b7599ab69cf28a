import type { OpenApi, Operation, ParameterObject } from '../../openapi/types.ts';
import type { PathOperation } from '../operations.ts';
import { exampleValues } from './values.ts';

/** Which variable of the environment has the credential of a call; null for none. */
export type Credential = 'INTAKE_KEY' | 'INTAKE_TOKEN' | null;

/** A call as samples show it, with the values of examples. */
export type SampleCall = Readonly<{
  method: string;
  /** With its parameters in braces. */
  template: string;
  path: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  /** Undefined for none. */
  body: unknown;
  credential: Credential;
  isList: boolean;
  /** The media type of its answer; null for an answer without a body. */
  media: string | null;
}>;

/** Makes calls of the operations of a document. */
export const callsOf = (document: OpenApi) => {
  const exampleOf = exampleValues(document);
  return ({ method, path, operation }: PathOperation): SampleCall => {
    const own = operation.parameters.filter((one): one is ParameterObject => !('$ref' in one));
    const valuesIn = (place: 'path' | 'query') =>
      Object.fromEntries(
        own.filter((one) => one.in === place && isShown(one)).map((one) => [one.name, exampleOf(one)]),
      );
    return {
      method,
      template: path,
      path: valuesIn('path'),
      query: valuesIn('query'),
      body: bodyOf(operation),
      credential: credentialOf(operation),
      isList: own.some(({ name }) => name === 'cursor'),
      media: mediaOf(operation),
    };
  };
};

/** Of what is optional, how many items a page has. */
const isShown = ({ name, required }: ParameterObject): boolean => required === true || name === 'limit';

/** The example of a body, unless it is empty: nothing need be sent then. */
const bodyOf = ({ requestBody }: Operation): unknown => {
  const example = requestBody?.content['application/json']?.example;
  return JSON.stringify(example) === '{}' ? undefined : example;
};

const credentialOf = ({ security }: Operation): Credential => {
  const names = security.flatMap((one) => Object.keys(one));
  if (names.includes('apiKey')) return 'INTAKE_KEY';
  return names.includes('sessionToken') ? 'INTAKE_TOKEN' : null;
};

const mediaOf = ({ responses }: Operation): string | null => {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return success && 'content' in success ? (Object.keys(success.content ?? {})[0] ?? null) : null;
};

/** The address of a call, with its query. `base` is that of the service, without a slash at its end. */
export const addressOf = ({ template, path, query }: SampleCall, base: string): string => {
  const own = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
  const asked = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return `${base}${own}${asked === '' ? '' : `?${asked}`}`;
};

/** The file that an answer is kept in where it is neither JSON nor text; null for those. */
export const fileOf = ({ media }: SampleCall): string | null => {
  if (media === null || media.startsWith('text/') || media.endsWith('json')) return null;
  return `answer.${media.split('/')[1]}`;
};
