/** The pictures that are read here. */
export const pictureFormats = ['image/jpeg', 'image/png', 'image/webp', 'image/tiff'] as const;

const JSON_FORMAT = 'application/json';
const documentFormats: readonly string[] = [...pictureFormats, 'application/pdf', JSON_FORMAT];
/** Other names of what is one format to its readers. */
const ALIASES: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/apng': 'image/png',
  'image/heif': 'image/heic',
  'image/heic-sequence': 'image/heic',
  'image/heif-sequence': 'image/heic',
};

/** A media type in lower case, without parameters. */
export const bareType = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase();

/** The usual name of a bare media type. */
export const plainType = (type: string): string => ALIASES[bareType(type)] ?? bareType(type);

/** Texts as they are; of others (HTML, RTF, XML) the markup is no text. */
const textFormats: readonly string[] = [
  'text/plain',
  'text/csv',
  'text/tab-separated-values',
  'text/markdown',
];

/** What the extractor `document` reads, for people. */
export const documentReads = [...documentFormats, ...textFormats].join(', ');

/** Whether the extractor `document` can read files of a media type. */
export const isRead = (format: string): boolean =>
  documentFormats.includes(format) || format === 'image/jpg' || textFormats.includes(format);

/** What a file is whose bytes show no format. */
export const UNKNOWN_FORMAT = 'application/octet-stream';

/** Whether files of a media type are text, which shows in all of the bytes and not in the first. */
export const isTextual = (format: string): boolean => format.startsWith('text/') || format === JSON_FORMAT;

/** Formats that the first bytes of a file show for certain. */
const certainFormats: readonly string[] = [...pictureFormats, 'image/gif', 'image/heic', 'application/pdf'];

/**
 * Whether a file that was declared to be of one media type may be so, when its bytes show another. Many
 * formats share their first bytes (office documents are zip archives) or have none of their own: of these
 * only what is certainly something else is refused.
 */
export const agrees = (declared: string, detected: string): boolean => {
  const format = plainType(declared);
  if (format === plainType(detected)) return true;
  return (
    !isTextual(format) && !certainFormats.includes(format) && !certainFormats.includes(plainType(detected))
  );
};
