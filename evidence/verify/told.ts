import type { Finding, Place } from './findings.ts';
import type { Verdict } from './package.ts';
import { sentenceOf } from './sentences.ts';

/** A finding for programs and people, in English. */
export type ToldFinding = Place & Readonly<{ detail: string }>;

/** A finding with its sentence. */
export const told = ({ said, ...place }: Finding): ToldFinding => ({ ...place, detail: sentenceOf(said) });

/** A verdict whose findings have their sentences. */
export type ToldVerdict = Omit<Verdict, 'findings' | 'redacted'> &
  Readonly<{ findings: readonly ToldFinding[]; redacted: readonly ToldFinding[] }>;

/** A verdict with its sentences. */
export const toldVerdict = ({ findings, redacted, ...verdict }: Verdict): ToldVerdict => ({
  ...verdict,
  findings: findings.map(told),
  redacted: redacted.map(told),
});

/** A finding on one line, for people. */
export const findingText = ({ file, event, pointer, manifest, detail }: ToldFinding): string => {
  const place = [
    file,
    event && `event ${event.revision} (${event.type}, ${event.id})`,
    pointer,
    manifest && `manifest.json ${manifest}`,
  ];
  return `${place.filter((part) => part !== null && part !== '').join(', ')}: ${detail}`;
};
