import type { Happening } from '../../../evidence/web/story.ts';
import { member } from '../../app/members.ts';
import { Certified } from '../../parts/certified.tsx';
import { Mark } from '../../parts/marks.tsx';
import { Notice } from '../../parts/notice.tsx';
import { ScrollRegion } from '../../parts/scrollRegion.tsx';
import { shown } from '../../parts/shown.ts';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import { asText } from '../submission/fields.ts';
import { typeText } from '../submission/timeline.tsx';
import type { Outcome } from './check.ts';
import { findingText, sentenceOf } from './sentences.ts';

const own = texts.verify;
const MAX_FINDINGS = 50;

const TONES = { good: 'good', bad: 'bad', unsigned: 'warning', unchecked: '' } as const;

type ResultProps = Readonly<{ name: string; keyId: string; outcome: Outcome }>;

/** What was found, step by step, and what the package tells if it holds. */
export const Result = ({ name, keyId, outcome }: ResultProps) => {
  if ('refused' in outcome)
    return <Notice kind="bad">{shown(say(own.refused, { name, why: outcome.refused }))}</Notice>;
  if ('certificate' in outcome) return <CertificateResult name={name} {...outcome.certificate} />;
  const { holds, manifest, redacted, steps, story } = outcome;
  return (
    <>
      <Notice kind={holds ? 'good' : 'bad'}>
        <strong>{holds ? shown(say(own.holds, { name })) : shown(say(own.holdsNot, { name }))}</strong>{' '}
        {holds &&
          manifest &&
          shown(say(own.exported, { at: manifest.exportedAt, service: manifest.service, key: keyId }))}
      </Notice>
      <ol class="steps">
        {steps.map((one) => (
          <StepItem key={one.step} {...one} />
        ))}
      </ol>
      {holds && manifest && (
        <>
          <h2>{own.story}</h2>
          <p>
            {say(own.of, {
              submission: manifest.submissionId,
              count: manifest.files.filter(isSubmitted).length,
            })}{' '}
            {manifest.missing.length > 0 &&
              redacted.length === 0 &&
              say(own.missing, { count: manifest.missing.length })}
          </p>
          {redacted.length > 0 && (
            <>
              <p>{own.redacted}</p>
              <Lines of={redacted.map(findingText)} />
            </>
          )}
          <Story story={story} />
        </>
      )}
    </>
  );
};

type CertificateProps = Readonly<{ name: string }> &
  Extract<Outcome, { certificate: unknown }>['certificate'];

const CertificateResult = ({ name, certificate, findings }: CertificateProps) => {
  if (certificate === null || findings.length > 0)
    return (
      <>
        <Notice kind="bad">
          <strong>{shown(say(own.holdsNot, { name }))}</strong>
        </Notice>
        <Lines of={findings.map(sentenceOf)} />
      </>
    );
  const { kind, id } = certificate.requested.actor;
  return (
    <>
      <Notice kind="good">
        <strong>{shown(say(own.holds, { name }))}</strong> {own.certificate}
      </Notice>
      <Certified certificate={certificate} actor={<code>{shown(`${kind}:${id}`)}</code>} />
    </>
  );
};

const isSubmitted = ({ path }: Readonly<{ path: string }>): boolean => path.startsWith('files/');

type StepProps = Extract<Outcome, { holds: boolean }>['steps'][number];

const StepItem = ({ step, result, findings }: StepProps) => (
  <li>
    <Mark tone={TONES[result]}>{own.results[result]}</Mark> <strong>{own.steps[step].title}.</strong>{' '}
    {own.steps[step].text}
    {findings.length > 0 && <Lines of={findings.map(findingText)} />}
  </li>
);

/** What was found; the command line lists all of it. */
const Lines = ({ of }: Readonly<{ of: readonly string[] }>) => (
  <ul>
    {of.slice(0, MAX_FINDINGS).map((line, index) => (
      <li key={index}>
        <code>{shown(line)}</code>
      </li>
    ))}
    {of.length > MAX_FINDINGS && <li>{say(own.more, { count: of.length - MAX_FINDINGS })}</li>}
  </ul>
);

const Story = ({ story }: Readonly<{ story: readonly Happening[] }>) => (
  <ScrollRegion label={own.story}>
    <table>
      <thead>
        <tr>
          {own.columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {story.map((happening) => (
          <StoryRow key={happening.revision} happening={happening} />
        ))}
      </tbody>
    </table>
  </ScrollRegion>
);

const StoryRow = ({ happening }: Readonly<{ happening: Happening }>) => {
  const { at, type, actor, by, words, corrections, secondEye } = happening;
  const { names, secondEye: ways } = texts.timeline;
  return (
    <tr>
      <td>
        <When at={at} exact />
      </td>
      <th scope="row">{typeText(type)}</th>
      <td>
        <code>{actor}</code> {by !== null && by !== actor && shown(say(own.by, { name: by }))}
      </td>
      <td>
        {words}
        {secondEye && (
          <p>
            {names.secondEye} {member(ways, secondEye) ?? shown(secondEye)}
          </p>
        )}
        {corrections.length > 0 && (
          <ul>
            {corrections.map(({ field, machineValue, humanValue }) => (
              <li key={field}>
                {shown(
                  say(own.corrected, {
                    field,
                    human: asText(humanValue) || own.nothing,
                    machine: asText(machineValue) || own.nothing,
                  }),
                )}
              </li>
            ))}
          </ul>
        )}
      </td>
    </tr>
  );
};
