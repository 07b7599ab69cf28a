import { useRef, useState } from 'preact/hooks';
import type { WorkflowTrial } from '../../../client/api.ts';
import { Button } from '../../parts/button.tsx';
import { ConfidenceMark } from '../../parts/marks.tsx';
import { ScrollRegion } from '../../parts/scrollRegion.tsx';
import { texts } from '../../texts.ts';
import { asText, certainty, type Field } from '../submission/fields.ts';
import { type Room, Sheet, TextSheet, useRoom } from '../submission/sheet.tsx';

const own = texts.workflows.trial;

/** What was read of a file, by which definition, and the pictures or texts of its pages. */
export type Tried = Readonly<{ trial: WorkflowTrial; fields: readonly Field[]; pages: readonly Page[] }>;
export type Page = Readonly<{
  page: number;
  size: WorkflowTrial['pages'][number]['size'];
  shown: Readonly<{ picture: string }> | Readonly<{ text: string }>;
}>;

/** The pages beside the values: what is pointed at on one side is marked on the other. */
export const Values = ({ fields, pages }: Tried) => {
  const [active, setActive] = useState<string | null>(null);
  const region = useRef<HTMLElement>(null);
  const room = useRoom(region);
  const choose = (name: string): void => {
    setActive(name);
    const at = fields.find((field) => field.name === name)?.place?.page;
    region.current?.querySelector(`[data-page="${at}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <div class="trial">
      <ScrollRegion own={region} class="page" label={own.pages}>
        {pages.length === 0 && <p class="empty">{own.noPages}</p>}
        {pages.map((page) => (
          <Shown key={page.page} {...{ page, room, fields, active, setActive, choose }} />
        ))}
      </ScrollRegion>
      <ScrollRegion label={own.values}>
        <table>
          <thead>
            <tr>
              {own.columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={field.name} onMouseEnter={() => setActive(field.name)}>
                <th scope="row">
                  <Button
                    class="plain"
                    aria-pressed={field.name === active}
                    disabled={!field.place}
                    onClick={() => choose(field.name)}
                  >
                    {field.label}
                  </Button>
                </th>
                <td>{field.value === null ? '–' : asText(field.value)}</td>
                <td>
                  <ConfidenceMark certainty={certainty(field)} />{' '}
                  {field.value === null ? null : field.confidence?.toFixed(2)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </div>
  );
};

type ShownProps = Readonly<{
  page: Page;
  room: Room;
  fields: readonly Field[];
  active: string | null;
  setActive(name: string | null): void;
  choose(name: string): void;
}>;

/** A page with the places of the values on it. */
const Shown = ({ page: { page, size, shown }, room, fields, active, setActive, choose }: ShownProps) => {
  const drawn = useRef(1);
  const there = fields.filter(({ place }) => place?.page === page);
  return (
    <div data-page={page}>
      {'text' in shown && (
        <TextSheet text={shown.text} found={there.find(({ name }) => name === active)?.text ?? null} />
      )}
      {'picture' in shown && size && (
        <Sheet
          {...{ room, active, take: null, walked: null, focused: null, words: [] }}
          fields={there}
          view={{ size: 'width', turn: 0, drawn }}
          at={{ fileId: there[0]?.place?.fileId ?? '', page, size }}
          isCurrent
          picture={shown.picture}
          alternative={there.map(({ label, value }) => `${label}: ${asText(value)}`).join('; ')}
          onActive={setActive}
          onChosen={choose}
        />
      )}
    </div>
  );
};
