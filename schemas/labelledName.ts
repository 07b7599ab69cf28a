import mime from 'mime';
import { plainType } from '../domain/formats.ts';

/**
 * The name of a file without a public name: its label, with the extension of its media type if there is one.
 */
export const labelledName = ({ label, mimeType }: Readonly<{ label: string; mimeType: string }>): string => {
  const extension = mime.getExtension(plainType(mimeType));
  if (extension === null || label.toLowerCase().endsWith(`.${extension}`)) return label;
  return `${label}.${extension}`;
};
