import { timingSafeEqual } from 'node:crypto';
import { Refusal } from './answer.ts';
import { checkTerms, type Identity, readCredential } from './authenticate.ts';

type Fields = ReadonlyMap<string, string>;
type Condition = Readonly<Record<string, unknown>> | readonly unknown[];

/** The sizes that a policy allows, in bytes. */
export type AllowedSize = Readonly<{ least: number; most: number }>;

const WEEK_SECONDS = 604_800;
/** Fields that a policy does not state. */
const FREE = new Set(['policy', 'x-amz-signature']);

/**
 * Verifies that a form is the one that the holder of the secret signed, within its time: the signature of its
 * policy, and every field by a condition of it. Throws a `Refusal` otherwise.
 */
export const checkPolicy = (fields: Fields, identity: Identity, now: Date): AllowedSize => {
  const policy = checkSignature(fields, identity, now);
  const { expiration, conditions } = readPolicy(policy);
  if (!(now.getTime() < Date.parse(expiration)))
    throw new Refusal('AccessDenied', 'the policy of the form has expired');
  for (const [name, value] of fields)
    if (!FREE.has(name) && !conditions.some((condition) => states(condition, name, value)))
      throw new Refusal('AccessDenied', `the policy of the form does not allow this value of ${name}`);
  for (const name of conditions.flatMap(namesOf))
    if (!fields.has(name)) throw new Refusal('AccessDenied', `the field ${name} of the policy is left out`);
  return sizeIn(conditions);
};

const checkSignature = (fields: Fields, identity: Identity, now: Date): string => {
  const read = (name: string): string => fields.get(name) ?? '';
  if (!fields.has('policy') || read('x-amz-algorithm') !== 'AWS4-HMAC-SHA256')
    throw new Refusal('AccessDenied', 'a form needs a policy that is signed by AWS4-HMAC-SHA256');
  const malformed = (what: string) => new Refusal('AuthorizationQueryParametersError', what);
  const credential = readCredential(read('x-amz-credential'), malformed);
  const timestamp = read('x-amz-date');
  checkTerms({ ...credential, timestamp, expiresInSeconds: WEEK_SECONDS }, identity, now);
  const { date, region, service } = credential.scope;
  const sign = identity.signerOf(identity.credentials.secretAccessKey, date, region, service);
  const expected = Buffer.from(sign(read('policy')));
  const given = Buffer.from(read('x-amz-signature'));
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new Refusal('SignatureDoesNotMatch', 'the signature is not that of this policy');
  return read('policy');
};

const readPolicy = (base64: string): Readonly<{ expiration: string; conditions: readonly Condition[] }> => {
  try {
    const { expiration, conditions } = JSON.parse(Buffer.from(base64, 'base64').toString());
    if (typeof expiration === 'string' && Array.isArray(conditions)) return { expiration, conditions };
  } catch {
    // It is refused like one of another form.
  }
  throw new Refusal('InvalidPolicyDocument', 'the policy has no expiration or no conditions');
};

/** Whether a condition is about a field, and holds for its value. */
const states = (condition: Condition, name: string, value: string): boolean => {
  if (!Array.isArray(condition))
    return Object.entries(condition).some(
      ([field, stated]) => field.toLowerCase() === name && stated === value,
    );
  const [operator, field, stated] = condition.map(String);
  if (field?.toLowerCase() !== `$${name}`) return false;
  return operator === 'eq' ? stated === value : operator === 'starts-with' && value.startsWith(stated ?? '');
};

/** The fields that a condition states, in lower case. */
const namesOf = (condition: Condition): readonly string[] => {
  if (!Array.isArray(condition)) return Object.keys(condition).map((name) => name.toLowerCase());
  return condition[0] === 'content-length-range' ? [] : [String(condition[1]).slice(1).toLowerCase()];
};

const sizeIn = (conditions: readonly Condition[]): AllowedSize => {
  const ranges = conditions.filter((one) => Array.isArray(one) && one[0] === 'content-length-range');
  const bounds = ranges.map((one) => (one as readonly unknown[]).slice(1).map(Number));
  return {
    least: Math.max(0, ...bounds.map(([least = Number.NaN]) => least)),
    most: Math.min(Number.POSITIVE_INFINITY, ...bounds.map(([, most = Number.NaN]) => most)),
  };
};
