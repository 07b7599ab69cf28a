const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

const PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Text that can stand in an XML element: markup escaped, what XML 1.0 can't hold replaced. */
export const escapeXml = (text: string): string =>
  text
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '?');

/** One element with one child each for `members`. */
export const xmlDocument = (name: string, members: Readonly<Record<string, string>>): string => {
  const children = Object.entries(members).map(([tag, text]) => `<${tag}>${escapeXml(text)}</${tag}>`);
  return `${PROLOGUE}<${name}>${children.join('')}</${name}>`;
};
