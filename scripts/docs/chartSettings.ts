import { settingNames, settings } from '../../runtime/settings/table.ts';

/**
 * The image and the chart say themselves where a pod listens and what it keeps: ports are named there, and so
 * is the volume.
 */
const FIXED: readonly string[] = ['PORT', 'HOST', 'DATA_DIR', 'STORAGE_PORT'];
const HEAD =
  '"settings": {\n      "type": "object",\n      "additionalProperties": false,\n      "properties": {\n';
const END = '\n      }\n';

/** deploy/helm/values.schema.json with every setting that the chart takes: those that are no secrets. */
export const withChartSettings = (schema: string): string => {
  const rows = settingNames
    .filter((name) => settings[name].secret !== true && !FIXED.includes(name))
    .map((name) => `        "${name}": { "type": "string" }`);
  const [before, after] = schema.split(HEAD);
  if (before === undefined || after === undefined) throw new Error('the schema has no settings');
  return `${before}${HEAD}${rows.join(',\n')}${after.slice(after.indexOf(END))}`;
};
