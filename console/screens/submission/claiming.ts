import { IntakeError } from '../../../client/error.ts';
import { api, open, type Scope, scopeNow } from '../../app/api.ts';
import { presence } from '../../app/presence.ts';
import { endings } from '../../app/session.ts';
import { isPending, isUndone, outbox } from './outbox.ts';
import { PATH } from './read.ts';

const CLAIM_MS = 120_000;
const RENEWAL_MS = 40_000;

/**
 * Who else has a submission open, by identifier, and whether the person had it before; `ended`: it is not
 * known who has it.
 */
export type Holder = Readonly<{ userId: string; isLost: boolean }> | 'ended' | null;

type Watch = Readonly<{
  holder(holder: Holder): void;
  /** It is no longer in review. */
  decided(): void;
}>;

/** Tabs of one browser, whose person has one claim for all of them. */
const tabs = new BroadcastChannel('intake.claims');
/** After the other tab's request. */
const AFTER_RELEASE_MS = 500;
/** A log-out waits for it. */
const END_LIMIT_MS = 5_000;

const CLAIM = `${PATH}/claim` as const;

/** The page of a submission; on one that the person has left nothing may claim again. */
type Page = { isOpen: boolean; isLeft: boolean };

/**
 * Claims a submission for as long as its page is open and the person there, and tells who else has it. Gives
 * what ends it.
 */
export const keepClaim = (id: string, watch: Watch): (() => void) => {
  const page: Page = { isOpen: true, isLeft: false };
  const { renew, release, isWaiting } = claimFor(id, page, watch);
  const ended = new AbortController();
  const { signal } = ended;
  const timer = setInterval(() => !isWaiting() && renew(), RENEWAL_MS);
  const unfollow = presence.subscribe(() => void (presence.get().isAway ? release() : renew()));
  const otherTab = ({ data }: MessageEvent): void => {
    if (data === id) setTimeout(renew, AFTER_RELEASE_MS);
  };
  const leave = (): void => {
    page.isLeft = true;
    void release(true);
  };
  const comeBack = (): void => {
    page.isLeft = false;
    void renew();
  };
  const end = (): Promise<void> => release(true);
  endings.add(end);
  tabs.addEventListener('message', otherTab, { signal });
  window.addEventListener('pagehide', leave, { signal });
  window.addEventListener('pageshow', comeBack, { signal });
  void renew();
  return () => {
    page.isOpen = false;
    clearInterval(timer);
    unfollow();
    endings.delete(end);
    ended.abort();
    const isDecided = isPending(id);
    void answered(id).then(() => (isDecided && isUndone(id) ? undefined : release()));
  };
};

/** Resolves once a decision on it is answered or taken back: until then nobody else is to begin with it. */
const answered = async (id: string): Promise<void> => {
  if (!isPending(id)) return;
  await new Promise<void>((resolve) => {
    const stop = outbox.subscribe(() => {
      if (isPending(id)) return;
      stop();
      resolve();
    });
  });
};

/**
 * A page's claim: `renew` asks for it and tells what came of that, which may wait for a log-in; `release`
 * ends it.
 */
const claimFor = (id: string, page: Readonly<Page>, { holder, decided }: Watch) => {
  /** The page may show another company when it ends. */
  const scope = scopeNow();
  /** The end of the last claim, by the clock of this machine alone; 0 for none. */
  let until = 0;
  let isAsked = false;
  let inFlight = 0;
  const renew = async (): Promise<void> => {
    if (!page.isOpen || page.isLeft || presence.get().isAway) return;
    isAsked = true;
    inFlight += 1;
    const askedAt = Date.now();
    const found = await claim(id, scope);
    inFlight -= 1;
    if (found === 'decided') return page.isOpen ? decided() : undefined;
    const had = until > 0;
    if (typeof found === 'object') {
      until = askedAt + CLAIM_MS;
      return page.isOpen && !presence.get().isAway ? holder(null) : release();
    }
    if (!page.isOpen) return;
    if (found !== 'unknown') return holder({ userId: found, isLost: had });
    if (had && Date.now() > until) holder('ended');
  };
  /** What is in flight is ended when it is there, unless the page goes. */
  const release = async (isLeaving = false): Promise<void> => {
    if (!isAsked || (inFlight > 0 && !isLeaving)) return;
    isAsked = false;
    until = 0;
    tabs.postMessage(id);
    await endClaim(id, scope);
  };
  return { renew, release, isWaiting: () => inFlight > 0 };
};

/** A claim that can't be ended ends by itself. */
export const endClaim = async (id: string, scope: Scope): Promise<void> => {
  const limits = { timeoutMs: END_LIMIT_MS, maxRetries: 0 };
  const call = { path: { submissionId: id }, headers: scope, ...limits };
  await open.delete(CLAIM, call).catch(() => undefined);
};

/** The own claim, who else has it, or why neither: a claim keeps nobody from deciding. */
const claim = async (id: string, scope: Scope): Promise<object | string> => {
  try {
    return await api.post(CLAIM, { path: { submissionId: id }, headers: scope });
  } catch (error) {
    if (!(error instanceof IntakeError)) return 'unknown';
    const { code, problem } = error;
    return problem?.claim?.userId ?? (code === 'submission-not-in-review' ? 'decided' : 'unknown');
  }
};
