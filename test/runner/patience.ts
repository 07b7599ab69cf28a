/** On engines that are processes of their own all takes longer, and each probe costs more. */
const [onEngines, shortest, longest] = process.env.INTAKE_TEST_ENGINES ? [3, 20, 200] : [1, 5, 150];

/** The pause between two looks at a condition, in milliseconds, at least and at most. */
export const [minPauseMs, maxPauseMs] = [shortest, longest];

/**
 * The one place of all patience: TEST_PATIENCE is a factor for machines that are slower or busier than usual.
 */
export const patience = onEngines * Number(process.env.TEST_PATIENCE ?? 1);

/**
 * No wait for a condition ends sooner: the machine may have much else to do. What hangs is found all the
 * same.
 */
export const WAIT_MS = 60_000 * patience;

/** No test ends sooner; longer than a wait, whose message says more. */
export const TEST_MS = 180_000 * patience;
