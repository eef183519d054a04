/**
 * How many test files run at a time. Many of them wait for processes, browsers and time limits, so that more than a small machine
 * has cores keep it busy. With four, tests of time limits wait for each other. Projects that run at the same time must agree.
 */
export const testWorkers = Number(process.env.MUSTER_TEST_WORKERS ?? 3)
