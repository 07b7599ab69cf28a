import type { SubmissionEventItem } from '../../../schemas/submissions.ts';
import { useNames } from '../../app/people.ts';
import { changeQuery } from '../../app/router.ts';
import { Button } from '../../parts/button.tsx';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import { EventDetails } from './eventDetails.tsx';

const own = texts.timeline;

type TimelineProps = Readonly<{
  events: readonly SubmissionEventItem[];
  /** The revision that is shown; null for now. */
  at: number | null;
  /** What people call a field. */
  labelOf(field: string): string;
}>;

const show = (revision: number, newest: number): void =>
  changeQuery({ at: revision >= newest ? null : revision });

/**
 * Every event with who, when, and what changed; the slider shows the submission as it was after any of them.
 */
export const Timeline = ({ events, at, labelOf }: TimelineProps) => {
  const newest = events.at(-1)?.revision ?? 0;
  const shown = at ?? newest;
  const nameOf = useNames(events.flatMap(({ actor }) => (actor.kind === 'user' ? actor.id : [])));
  const event = events.find(({ revision }) => revision === shown);
  return (
    <section class="timeline" aria-label={own.title}>
      <label>
        {own.slider}{' '}
        <strong>{event && say(own.at, { revision: event.revision, type: typeText(event.type) })}</strong>
        <input
          aria-label={own.slider}
          type="range"
          min={0}
          max={newest}
          value={shown}
          aria-valuetext={
            event ? say(own.at, { revision: event.revision, type: typeText(event.type) }) : String(shown)
          }
          onInput={(input) => show(Number(input.currentTarget.value), newest)}
        />
      </label>
      <ol>
        {events.map((one) => (
          <li key={one.revision} class={one.revision > shown ? 'later' : ''}>
            <Button
              class="plain"
              aria-pressed={one.revision === shown}
              onClick={() => show(one.revision, newest)}
            >
              {typeText(one.type)}
            </Button>
            <Told event={one} {...{ nameOf, labelOf }} />
          </li>
        ))}
      </ol>
    </section>
  );
};

type ToldProps = Pick<TimelineProps, 'labelOf'> &
  Readonly<{ event: SubmissionEventItem; nameOf(id: string): string }>;

/** When and by whom, what changed, and by which request. */
const Told = ({ event, nameOf, labelOf }: ToldProps) => (
  <>
    <small>
      <When at={event.occurredAt} exact /> · {actorText(event.actor, nameOf)}
    </small>
    <EventDetails details={event.details} labelOf={labelOf} />
    <details class="trace">
      <summary>{own.trace}</summary>
      {event.requestId && say(own.request, { id: event.requestId })} {say(own.cause, { id: event.causation })}
    </details>
  </>
);

/** `submission.processing_started` in words; a type of a newer release as it is. */
export const typeText = (type: string): string => {
  const known: Readonly<Record<string, string>> = own.types;
  return known[type] ?? type;
};

/** Who did something, where the API says it in one text, such as `user:<id>`. */
export const actorOf = (text: string): SubmissionEventItem['actor'] => {
  const [kind = '', id = ''] = text.split(':');
  return { kind, id };
};

/** Who did something, in words. */
export const actorText = (
  { kind, id }: SubmissionEventItem['actor'],
  nameOf: (id: string) => string,
): string =>
  kind === 'user' ? nameOf(id) : kind === 'key' ? say(own.key, { id }) : say(own.service, { id });
