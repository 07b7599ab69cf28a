/**
 * A text as it may stand somewhere: as it is, in hex, in base64 wherever in a longer text it begins,
 * percent-encoded.
 */
export const formsOf = (secret: string): ReadonlyMap<string, Buffer> => {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const escaped = hex.replace(/../g, '%$&');
  const forms = new Map<string, string>([
    ['plain', secret],
    ['hex', hex],
    ['HEX', hex.toUpperCase()],
    ['url', encodeURIComponent(secret)],
    ['%hex', escaped],
    ['%HEX', escaped.toUpperCase()],
    ['json', JSON.stringify(secret).slice(1, -1)],
  ]);
  for (const before of [0, 1, 2]) {
    const base64 = middleOfBase64(bytes, before);
    forms.set(`base64 ${before}`, base64);
    forms.set(`base64url ${before}`, base64.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return new Map([...forms].map(([form, text]) => [form, Buffer.from(text)]));
};

/**
 * What the base64 of a longer text holds of these bytes, whatever stands before (as many bytes, modulo 3) and
 * behind them.
 */
const middleOfBase64 = (bytes: Buffer, before: number): string => {
  const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  const first = Math.ceil((before * 8) / 6);
  const last = Math.floor(((before + bytes.length) * 8) / 6);
  return whole.slice(first, last);
};

/** Where in `places` any form of a secret stands: `name of the secret as form in place`. */
export const findings = (
  secrets: Readonly<Record<string, string>>,
  places: Readonly<Record<string, Buffer>>,
): readonly string[] =>
  Object.entries(secrets).flatMap(([name, secret]) =>
    [...formsOf(secret)].flatMap(([form, bytes]) =>
      Object.entries(places).flatMap(([place, content]) =>
        content.includes(bytes) ? [`${name} as ${form} in ${place}`] : [],
      ),
    ),
  );
