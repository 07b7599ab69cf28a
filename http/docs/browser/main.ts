import { offerCopies } from './copy.ts';
import { offerLanguages } from './languages.ts';
import { searchAsTyped } from './search.ts';
import { service } from './service.ts';
import { offerTrials } from './trial.ts';

/** Samples have the address at which the reader sees the page. */
const showOwnAddress = (): void => {
  const shown = document.querySelector('main')?.dataset.address;
  if (!shown || shown === service) return;
  for (const code of document.querySelectorAll('.samples code'))
    code.textContent = (code.textContent ?? '').replaceAll(shown, service);
};

showOwnAddress();
offerLanguages();
offerCopies();
offerTrials();
searchAsTyped();
