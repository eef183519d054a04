/**
 * How many test files run at a time. Many of them wait for processes, browsers and time limits, so that twice as many as a small
 * machine has cores keep it busy. Projects that run at the same time must agree.
 */
export const testWorkers = Number(process.env.MUSTER_TEST_WORKERS ?? 4)
