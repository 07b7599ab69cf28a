import mime from 'mime';
import { plainType } from '../domain/formats.ts';

/**
 * The name of a file whose own name is not given, or is private: its label, with its media type's extension
 * if there is one.
 */
export const labelledName = ({ label, mimeType }: Readonly<{ label: string; mimeType: string }>): string => {
  const extension = mime.getExtension(plainType(mimeType));
  if (extension === null || label.toLowerCase().endsWith(`.${extension}`)) return label;
  return `${label}.${extension}`;
};
