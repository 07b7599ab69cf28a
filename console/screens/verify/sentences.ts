import type { StepResult } from '../../../evidence/web/steps.ts';
import { say, texts } from '../../texts.ts';

const own = texts.verify;

type Finding = StepResult['findings'][number];
type Said = Finding['said'];

type Value = Said['values'][string];

/** What was found, in the language of the page. */
export const sentenceOf = ({ code, values }: Said): string => {
  const of = (name: string): string | number => valueText(values[name]);
  return say(own.findings[code], {
    found: of('found'),
    expected: of('expected'),
    why: of('why'),
    path: of('path'),
    key: of('key'),
    id: of('id'),
    count: of('count'),
    revision: of('revision'),
    type: of('type'),
    line: of('line'),
    name: of('name'),
    service: of('service'),
    at: of('at'),
    basis: of('basis'),
  });
};

const valueText = (value: Value = ''): string | number =>
  typeof value === 'object' ? sentenceOf(value) : value;

const eventText = ({ revision, type, id }: NonNullable<Finding['event']>): string =>
  say(own.eventAt, { revision, type, id });

/** Where it was found, and what. */
export const findingText = ({ file, event, pointer, manifest, said }: Finding): string => {
  const place = [file, event && eventText(event), pointer, manifest && say(own.manifestAt, { manifest })];
  const where = place.filter((part) => part !== null && part !== '').join(', ');
  return say(own.finding, { where, what: sentenceOf(said) });
};
