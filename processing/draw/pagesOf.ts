import type { Size } from '../picture/pixels.ts';
import type { InputFile, Pages } from '../types.ts';
import { openShown, type ShownFile } from './shownFile.ts';

/** The pages of a file, with their sizes in the units of the places on them. Throws Unreadable. */
export const pagesOf = async (file: InputFile): Promise<Pages> => {
  const shown = await openShown(file);
  if (shown.format === 'text') return { kind: 'pages', as: 'text', pages: [{ page: 1, size: null }] };
  const sizes = await sizesOf(file, shown);
  const pages = sizes.map((size, index) => ({ page: index + 1, size }));
  return { kind: 'pages', as: 'picture', pages };
};

const sizesOf = async (file: InputFile, { format, bytes }: ShownFile): Promise<readonly Size[]> => {
  if (format === 'pdf') return (await import('../read/pdf.ts')).pdfSizes(file, bytes);
  const { pictureSizes } = await import('../read/picture.ts');
  return pictureSizes(file.label, bytes);
};
