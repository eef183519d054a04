/**
 * How many test files run at a time. Many of them wait for processes, browsers and time limits, so more than a small machine
 * has cores keep it busy. Projects with different numbers would not run at the same time.
 */
export const testWorkers = Number(process.env.MUSTER_TEST_WORKERS ?? 4)

/** Node loads the tests as it loads the programs, and keeps what it has compiled. Transforming all sources would take longer. */
export const loadedByNode = { experimental: { viteModuleRunner: false, nodeLoader: false } } as const

/** Files share a worker, because loading the service or another program for each of them again would take a third of the time. */
export const nodeWorkers = { ...loadedByNode, maxWorkers: testWorkers, isolate: false } as const
