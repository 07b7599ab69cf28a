import mime from 'mime';
import { plainType } from '../domain/formats.ts';

/**
 * What a file is called whose own name nobody gave, or that is not to be told: its label, with its media
 * type's extension if that has one.
 */
export const labelledName = ({ label, mimeType }: Readonly<{ label: string; mimeType: string }>): string => {
  const extension = mime.getExtension(plainType(mimeType));
  if (extension === null || label.toLowerCase().endsWith(`.${extension}`)) return label;
  return `${label}.${extension}`;
};
