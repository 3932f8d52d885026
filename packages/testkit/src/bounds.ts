// How long tests wait for what should come. Only what never comes is waited for so long: beside other work, a process of low
// priority, as those that read files for an index are, may get a hundredth of a processor.

/** For one condition: less than a test may take, so that it says what it waited for. */
export const WAIT_MS = 150_000;
/** For a test, which may wait several times. */
export const TEST_MS = 480_000;
