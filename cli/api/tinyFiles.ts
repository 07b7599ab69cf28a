import type { DescribedFile } from '../../client/index.ts';

const base64 = (text: string): Uint8Array => Buffer.from(text, 'base64');

/** The smallest file of each media type that a workflow usually takes. */
const TINY: Readonly<Record<string, Uint8Array>> = {
  'application/json': Buffer.from('{"total":1}'),
  'text/plain': Buffer.from('Total 1.00\n'),
  'image/png': base64(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAG7buVgAAAABJRU5ErkJggg==',
  ),
  'image/jpeg': base64(
    '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AR//Z',
  ),
  'application/pdf': Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
  ),
};

type Upload = Readonly<{ minFiles: number; acceptedFormats: readonly string[] }>;

/** As few and small files as a workflow takes; null where it takes none of these types. */
export const tinyFiles = ({ minFiles, acceptedFormats }: Upload): readonly DescribedFile[] | null => {
  const type = acceptedFormats.find((format) => Object.hasOwn(TINY, format));
  const content = type === undefined ? undefined : TINY[type];
  if (type === undefined || content === undefined) return null;
  return Array.from({ length: Math.max(1, minFiles) }, () => ({ content, type }));
};
