import { useEffect, useRef, useState } from 'preact/hooks';
import { announce, announceProblem } from '../../app/announce.tsx';
import { scopeNow } from '../../app/api.ts';
import { useKeys } from '../../app/keys.ts';
import { useAction, useReached, useResource } from '../../app/resource.ts';
import { changeQuery, navigate } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screenProps.ts';
import { useStore } from '../../app/store.ts';
import { Button } from '../../parts/button.tsx';
import { ProblemNotice, Skeleton } from '../../parts/notice.tsx';
import { Screen } from '../../parts/screen.tsx';
import { texts } from '../../texts.ts';
import { forgetSeen, listHref, neighbour, queueOfList, submissionHref } from '../submissions/list.ts';
import { CertificateOffer } from './certificate.tsx';
import { ClaimNotice } from './claim.tsx';
import { endClaim } from './claiming.ts';
import { Decisions } from './decisions.tsx';
import { EvidenceExport, mayExport } from './evidence.tsx';
import { focusField } from './fieldList.tsx';
import { FieldsView } from './fieldsView.tsx';
import { Back, State, VIEWS } from './heading.tsx';
import { Matches } from './matches.tsx';
import { Meanwhile } from './meanwhile.tsx';
import { isClaimed, nextAfter, unlessGone, useOrder } from './next.ts';
import { dropRefusal, isPending, isUndone, openRefusal, outbox, refusalReached, staleTag } from './outbox.ts';
import { readEvents, readSubmission } from './read.ts';
import { Summary } from './summary.tsx';
import { Team } from './team.tsx';
import { TimelineView } from './timelineView.tsx';

const own = texts.submission;

/** What is read of a submission, with what others did meanwhile. */
const useOpened = (id: string) => {
  const read = useResource(id, (signal) => readSubmission(id, null, signal));
  const events = useResource(`${id} events`, (signal) => readEvents(id, signal));
  const [stale, setStale] = useState<string | null>(null);
  const reload = async (): Promise<void> => {
    await Promise.all([read.reload(), events.reload()]);
  };
  /** A decision was refused: others were there before. */
  const onStale = (): void => {
    setStale(read.value?.tag ?? null);
    reload();
  };
  const { isWaiting, refusal } = useLastDecision(id, reload);
  const tag = stale ?? (refusal && staleTag(refusal));
  const meanwhile = <Meanwhile tag={tag} reason={refusal?.body.reason ?? ''} events={events.value ?? []} />;
  return { read, events, reload, onStale, meanwhile, isWaiting, refusal };
};

/**
 * What becomes of the decision that was made here: `reload` is called once it is answered; `refusal` is why
 * it was not accepted.
 */
const useLastDecision = (id: string, reload: () => unknown) => {
  const last = useStore(outbox).find((one) => one.id === id);
  const isWaiting = last?.state === 'held' || last?.state === 'sending';
  const wasWaiting = useRef(isWaiting);
  useEffect(() => {
    if (wasWaiting.current && !isWaiting) reload();
    wasWaiting.current = isWaiting;
    openRefusal(id);
  }, [isWaiting]);
  const refusal = last?.state === 'refused' ? last : null;
  useReached(refusal?.problem ?? null, () => refusalReached(id));
  return { isWaiting, refusal };
};

let leaving: string | null = null;

/** Goes to what comes after a submission, which is asked once. */
const goOn = (id: string): void => {
  if (leaving === id) return;
  leaving = id;
  const isDecided = isPending(id);
  const go = (to: string | null): void => {
    if (isDecided && isUndone(id)) {
      if (to !== null) void endClaim(to, scopeNow());
      return;
    }
    // At the end of the queue its own screen is shown, where new ones arrive.
    const href = to === null ? queueOfList() && listHref() : submissionHref(to);
    if (to === null) announce(own.noMore);
    if (href) navigate(href);
  };
  const done = (): void => {
    if (leaving === id) leaving = null;
  };
  void unlessGone(() => nextAfter(id), go)
    .catch(announceProblem)
    .finally(done);
};

const goBack = (id: string): void => {
  const previous = neighbour(id, -1);
  forgetSeen(id);
  if (previous) navigate(submissionHref(previous));
  else announce(own.noEarlier);
};

/**
 * A submission: what was read beside its documents, what it resembles, what happened, and what to do about
 * it.
 */
const Submission = ({ parameters: { id = '' }, query, me: person }: ScreenProps) => {
  const at = query.get('at');
  const view = VIEWS.find((name) => name === query.get('view')) ?? 'fields';
  const { read, events, reload, onStale, meanwhile, isWaiting, refusal } = useOpened(id);
  const { value, problem: unread } = read;
  const [exports, setExports] = useState(0);
  const approval = useAction();
  const problem = approval.problem ?? refusal?.problem ?? null;
  const isReviewer = person.permissions.includes('submissions.decide') && at === null;
  const mayDecide = isReviewer && !isWaiting;
  useOrder(id, value?.detail.submissionStatus === 'review');
  useViewKeys(id, () => goOn(id), reload);
  const decided = (isDone: boolean): void => {
    reload();
    if (isDone) goOn(id);
  };
  const isBlocked = problem?.code.startsWith('fraud-');
  useEffect(() => {
    if (isBlocked) changeQuery({ view: 'matches' });
  }, [problem]);
  const resolved = (): Promise<void> => {
    approval.clear();
    dropRefusal(id);
    return reload();
  };
  const shared = value && { read: value, mayDecide, meanwhile, onStale };
  const summary = value && (
    <Summary read={value}>
      {mayExport() && <EvidenceExport submissionId={id} onExported={() => setExports(exports + 1)} />}
      {mayExport() && value.detail.redaction === 'done' && <CertificateOffer submissionId={id} />}
      <Team {...{ detail: value.detail, mayShare: mayDecide, reload }} onLater={() => decided(true)} />
    </Summary>
  );
  return (
    <Screen
      title={value?.detail.label ?? id}
      before={<Back />}
      beside={shared && <State read={shared.read} view={view} />}
      actions={
        shared && (
          <>
            <Button class="plain step" aria-label={own.next} title={own.next} onClick={() => goOn(id)}>
              ›
            </Button>
            {mayDecide && (
              <Decisions {...shared} approval={approval} onFaulty={focusField} onDecided={decided} />
            )}
          </>
        )
      }
    >
      {unread && <ProblemNotice problem={unread} retry={reload} />}
      {!value && !unread && <Skeleton lines={8} />}
      <ClaimNotice
        id={id}
        isInReview={isReviewer && (value ? value.detail.submissionStatus === 'review' : isClaimed(id))}
        onDecided={onStale}
      />
      {shared && (
        <>
          {view !== 'fields' && summary}
          {meanwhile}
          {problem && <ProblemNotice problem={problem} />}
          {view === 'fields' && (
            <FieldsView {...shared} problem={problem}>
              {summary}
            </FieldsView>
          )}
          {view === 'matches' && <Matches {...shared} onResolved={resolved} />}
          {view === 'timeline' && <TimelineView read={shared.read} {...{ events, at, exports }} />}
        </>
      )}
    </Screen>
  );
};
/** Another submission is another screen: nothing that was refused or typed for this one stays. */
const Keyed = (props: ScreenProps) => <Submission key={props.parameters.id} {...props} />;
export default Keyed;

const useViewKeys = (id: string, next: () => void, reload: () => void): void => {
  const list = listHref();
  useKeys([
    ...VIEWS.map((view, index) => ({
      key: String(index + 1),
      text: own.views[view],
      run: () => changeQuery({ view: view === 'fields' ? null : view, at: null }),
    })),
    { key: 'n', text: own.next, run: next },
    { key: 'p', text: own.previous, run: () => goBack(id) },
    ...(list ? [{ key: 'l', text: own.list, run: () => navigate(list) }] : []),
    { key: 'u', text: own.reload, run: reload },
  ]);
};
