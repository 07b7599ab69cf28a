const MAX_LENGTH = 120;

/**
 * A `Content-Disposition` that makes a browser save a file under `fileName`, never show it (RFC 6266; the
 * full name as RFC 5987). The name loses what could escape a folder or mislead a reader: separators, control
 * and direction marks.
 */
export const attachment = (fileName: string): string => {
  const name = safeName(fileName);
  const plain = name.replace(/[^\x20-\x7e]|%/g, '_');
  const quoted = `attachment; filename="${plain}"`;
  return plain === name ? quoted : `${quoted}; filename*=UTF-8''${encoded(name)}`;
};

/** The query that makes a store answer a GET with a file to be saved. */
export const downloadQuery = (fileName: string, mimeType: string) =>
  [
    ['response-content-disposition', attachment(fileName)],
    ['response-content-type', mimeType],
  ] as const;

/** A name that needs no change, of at most MAX_LENGTH: nearly every one is. */
const SAFE = /^[\w-](?:[\w .-]{0,118}[\w-])?$/;

const safeName = (fileName: string): string => {
  if (SAFE.test(fileName)) return fileName;
  const visible = fileName
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[/\\:*?"<>|;]/g, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  return [...visible].slice(-MAX_LENGTH).join('') || 'file';
};

const encoded = (name: string): string =>
  encodeURIComponent(name).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
