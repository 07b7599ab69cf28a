import { fieldTypeNames } from '../../fieldTypes/all.ts';

const LIST = /(?<=, `type` \()[\w, ]+(?=\), `validation`)/;

/** docs/workflows.md with the names of the types of fields. */
export const withFieldTypes = (page: string): string => {
  if (!LIST.test(page)) throw new Error('the page has no list of the types of fields');
  return page.replace(LIST, fieldTypeNames.join(', '));
};
