import { useEffect, useState } from 'preact/hooks';
import { cannotProve } from '../../../evidence/web/cannotProve.ts';
import { canVerify, readPublicKey } from '../../../evidence/web/keys.ts';
import { useResource } from '../../app/resource.ts';
import { hrefOf } from '../../app/router.ts';
import { keep, kept } from '../../app/storage.ts';
import { Notice, Skeleton } from '../../parts/notice.tsx';
import { Screen } from '../../parts/screen.tsx';
import { shown } from '../../parts/shown.ts';
import { say, texts } from '../../texts.ts';
import { check, type Outcome } from './check.ts';
import { KeyField, PackageField } from './inputs.tsx';
import { Result } from './result.tsx';

const own = texts.verify;

const STORED_KEY = 'intake.evidence-key';

/**
 * Verifies a package of evidence, or a certificate of a redaction, in the browser: of what is chosen here
 * nothing is sent anywhere.
 */
const Verify = () => {
  const able = useResource('able', canVerify);
  return (
    <main class="verify">
      <Screen title={own.title} actions={<a href={hrefOf('/')}>{own.back}</a>}>
        <p>{own.about}</p>
        {able.value === null && <Skeleton />}
        {able.value === false && <Notice kind="bad">{own.unable}</Notice>}
        {able.value ? <Form /> : <Limits of={cannotProve} />}
      </Screen>
    </main>
  );
};
export default Verify;

const Limits = ({ of }: Readonly<{ of: readonly string[] }>) => (
  <section>
    <h2>{own.cannotProve}</h2>
    <ul>
      {of.map((limit) => (
        <li key={limit}>{limit}</li>
      ))}
    </ul>
  </section>
);

/** What no check can prove: a certificate says it itself. */
const limitsOf = (outcome: Outcome | null): readonly string[] => {
  if (!outcome || !('certificate' in outcome)) return cannotProve;
  const { certificate, findings } = outcome.certificate;
  return certificate && findings.length === 0 ? certificate.cannotProve : cannotProve;
};

const Form = () => {
  const [keyText, setKeyText] = useState(() => kept(STORED_KEY) ?? '');
  const [file, setFile] = useState<File | null>(null);
  const [round, setRound] = useState(0);
  const key = useResource(keyText, async () => await readPublicKey(keyText));
  const isRead = !key.isLoading && key.value !== null;
  useEffect(() => {
    if (isRead) keep(STORED_KEY, keyText.trim());
  }, [isRead, keyText]);
  const verifier = isRead ? key.value : null;
  const result = useResource(
    verifier && file ? `${round} ${verifier.id}` : null,
    async () => verifier && file && (await check(file, verifier)),
  );
  const choose = (chosen: File): void => {
    setFile(chosen);
    setRound(round + 1);
  };
  return (
    <>
      <KeyField
        value={keyText}
        id={verifier?.id ?? null}
        isWrong={keyText.trim() !== '' && !key.isLoading && key.value === null}
        onInput={setKeyText}
        onForget={() => {
          setKeyText('');
          keep(STORED_KEY, null);
        }}
      />
      <PackageField file={file} onChoose={choose} />
      {file && !verifier && <Notice kind="info">{own.needsKey}</Notice>}
      {file && verifier && result.isLoading && (
        <p role="status">{shown(say(own.working, { name: file.name }))}</p>
      )}
      {file && verifier && !result.isLoading && result.value && (
        <Result name={file.name} keyId={verifier.id} outcome={result.value} />
      )}
      <Limits of={limitsOf(result.value)} />
    </>
  );
};
