import type { Fault } from '../../../client/api.ts';
import { IntakeError } from '../../../client/error.ts';
import { Button } from '../../parts/button.tsx';
import { say, texts } from '../../texts.ts';
import { placeOf } from './place.ts';

const own = texts.workflows.editor;
const MEMBER = '/definition';

/** What is to become a definition: any object, until the service has checked it. */
export type Unchecked = { [member: string]: unknown };

/** The members of an object; of anything else, none. */
export const asRecord = (value: unknown): Unchecked =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

/** Where in the definition a fault is, as a JSON Pointer. */
export const placeIn = ({ pointer }: Fault): string =>
  pointer.startsWith(MEMBER) ? pointer.slice(MEMBER.length) : pointer;

/** The JSON object of a text. Throws what is wrong with it as the service would say it. */
export const parsed = (text: string): Unchecked => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
    throw new SyntaxError(own.noObject);
  } catch (error) {
    throw new IntakeError({ code: 'validation-failed', message: (error as Error).message });
  }
};

/** The JSON object of a text; null where it is none. */
export const objectIn = (text: string): Unchecked | null => {
  try {
    return parsed(text);
  } catch {
    return null;
  }
};

type FaultsProps = Readonly<{
  text: string;
  faults: readonly Fault[];
  area: Readonly<{ current: HTMLTextAreaElement | null }>;
}>;

/** What the service refuses, each with its line, and a way to it. */
export const Faults = ({ text, faults, area }: FaultsProps) => {
  const go = (offset: number, line: number): void => {
    const { current } = area;
    if (!current) return;
    const end = text.indexOf('\n', offset);
    current.focus();
    current.setSelectionRange(offset, end < 0 ? text.length : end);
    const height = Number.parseFloat(getComputedStyle(current).lineHeight);
    current.scrollTop = Math.max(0, (line - 4) * height);
  };
  const placed = faults
    .map((fault) => {
      const place = placeIn(fault);
      return { place, detail: fault.detail, ...placeOf(text, place) };
    })
    .sort((a, b) => a.offset - b.offset);
  return (
    <ul class="faults">
      {placed.map(({ place, detail, offset, line }) => (
        <li key={`${place} ${detail}`}>
          <Button class="plain" onClick={() => go(offset, line)}>
            {say(own.line, { line })}
          </Button>{' '}
          <code>{place.slice(1).replaceAll('/', ' › ')}</code> {detail}
        </li>
      ))}
    </ul>
  );
};
