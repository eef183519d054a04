/**
 * How many test files run at a time. Many of them wait for processes, browsers and time limits, so more than a small machine
 * has cores keep it busy. Projects with different numbers would not run at the same time.
 */
export const testWorkers = Number(process.env.MUSTER_TEST_WORKERS ?? 4)
