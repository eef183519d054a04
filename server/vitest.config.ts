import { configDefaults, defineProject } from 'vitest/config'
import { testWorkers } from '../tools/test-workers.ts'

const matrix = 'test/faults/matrix.test.ts'

/** Measures latencies, so it runs alone, after all other tests: beside them, on a busy machine, it would measure the machine. */
export const faultMatrix = defineProject({
  test: {
    name: 'faults',
    root: 'server',
    include: [matrix],
    globalSetup: ['test/world/service-bundle.ts', 'test/world/installations.ts'],
    maxWorkers: 1,
    sequence: { groupOrder: 1 },
  },
})

export default defineProject({
  test: {
    name: 'server',
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, matrix],
    globalSetup: [
      'test/world/service-bundle.ts',
      'test/world/template-database.ts',
      'test/world/installations.ts',
      '../console/test/built-pages.ts',
    ],
    setupFiles: ['../tools/test-priority.ts'],
    // There is no second attempt, so limits that only detect what hangs are far above what a busy machine needs.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    maxWorkers: testWorkers,
    // Loading the service for every file again would take a third of the time.
    isolate: false,
  },
})
