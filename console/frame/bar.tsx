import { useState } from 'preact/hooks';
import type { Me } from '../../schemas/identity.ts';
import { logOut } from '../app/account.ts';
import { announceProblem } from '../app/announce.tsx';
import { useKeys } from '../app/keys.ts';
import { chooseLanguage, languages, ownName } from '../app/language.ts';
import { hrefOf } from '../app/router.ts';
import { nextScheme, scheme } from '../app/scheme.ts';
import { useStore } from '../app/store.ts';
import { ownZone, turnZone, zone, zoneName } from '../app/zone.ts';
import { Button } from '../parts/button.tsx';
import { say, texts } from '../texts.ts';
import { Keys } from './keys.tsx';
import { CompanyName, ModeSwitch } from './scope.tsx';

/** The top of every screen: where one is, who one is, and how it looks. */
export const Bar = ({ me }: Readonly<{ me: Me }>) => (
  <header class="bar">
    <a class="brand" href={hrefOf('/')}>
      {texts.product}
    </a>
    <CompanyName own={me.company} />
    <ModeSwitch />
    <span class="space" />
    <Keys />
    <SchemeButton />
    <Person me={me} />
  </header>
);

const SchemeButton = () => {
  const current = useStore(scheme);
  return (
    <Button class="plain scheme" onClick={nextScheme}>
      {texts.scheme.title}: {texts.scheme[current]}
    </Button>
  );
};

/** The zone of all times, and the way to the other one; where the browser's own is UTC there is none. */
const ZoneChoice = () => {
  const current = useStore(zone);
  return (
    <>
      <small>{say(texts.zone.named, { zone: zoneName() })}</small>
      {ownZone !== 'UTC' && (
        <Button class="plain" onClick={turnZone}>
          {say(texts.zone.show, { zone: current === 'UTC' ? ownZone : 'UTC' })}
        </Button>
      )}
    </>
  );
};

/** The languages of the console, each by its own name. */
const LanguageChoice = () => (
  <fieldset class="languages" aria-label={texts.languages}>
    {languages.map((one) => (
      <Button
        key={one}
        class="plain"
        lang={one}
        aria-pressed={one === document.documentElement.lang}
        onClick={() => chooseLanguage(one)}
      >
        {ownName(one)}
      </Button>
    ))}
  </fieldset>
);

/** The person, and below the name what is theirs; a disclosure, which every browser and reader knows. */
const Person = ({ me }: Readonly<{ me: Me }>) => {
  const [isOpen, open] = useState(false);
  const leave = (): void => {
    logOut('this').catch(announceProblem);
  };
  useKeys(isOpen ? [{ key: 'Escape', text: texts.close, run: () => open(false) }] : []);
  return (
    <div class="person">
      <Button class="plain" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
        {me.name ?? me.email ?? me.userId}
      </Button>
      {isOpen && (
        <div class="menu">
          <p>
            {me.email}
            <br />
            <small>{texts.roles[me.role]}</small>
          </p>
          <a href={hrefOf('/sessions')} onClick={() => open(false)}>
            {texts.sessions.title}
          </a>
          <a href={hrefOf('/verify')}>{texts.verify.title}</a>
          <ZoneChoice />
          <SchemeButton />
          <LanguageChoice />
          <Button class="plain" onClick={leave}>
            {texts.logIn.out}
          </Button>
        </div>
      )}
    </div>
  );
};
