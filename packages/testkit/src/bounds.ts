// Time limits of tests. They are long, since on a busy machine a process of low priority, such as one that reads files for an
// index, may get a hundredth of a processor. Only a failing test waits so long.

/** For one condition: less than `TEST_MS`, so that the failure names the condition. */
export const WAIT_MS = 150_000;
/** For one test, which may wait several times. */
export const TEST_MS = 480_000;
