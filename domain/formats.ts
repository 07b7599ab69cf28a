/** The pictures that are read here. */
export const pictureFormats = ['image/jpeg', 'image/png', 'image/webp', 'image/tiff'] as const;

const JSON_FORMAT = 'application/json';
const documentFormats: readonly string[] = [...pictureFormats, 'application/pdf', JSON_FORMAT];
/** An old name, which stands for `image/jpeg`. */
const ALIAS = 'image/jpg';

/** What is said to people of what the extractor `document` reads. */
export const documentReads = `${documentFormats.join(', ')} and text/…`;

/** Whether the extractor `document` can read files of a media type. */
export const isRead = (format: string): boolean =>
  documentFormats.includes(format) || format === ALIAS || format.startsWith('text/');
