import { configDefaults, defineProject } from 'vitest/config'
import { loadedByNode, nodeWorkers } from '../tools/test-workers.ts'

const matrix = 'server/test/faults/matrix.test.ts'

/** Measures latencies, so it runs alone, after all other tests: beside them, on a busy machine, it would measure the machine. */
export const faultMatrix = defineProject({
  test: {
    name: 'faults',
    include: [matrix],
    globalSetup: ['server/test/world/service-bundle.ts', 'server/test/world/installations.ts'],
    ...loadedByNode,
    maxWorkers: 1,
    sequence: { groupOrder: 1 },
  },
})

/** Tests of the service, and of several programs together. Their files share the workers that have loaded the service. */
export const serviceTests = defineProject({
  test: {
    name: 'server',
    include: ['server/test/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: [...configDefaults.exclude, matrix],
    globalSetup: [
      'server/test/world/service-bundle.ts',
      'server/test/world/template-database.ts',
      'server/test/world/installations.ts',
      'console/test/built-pages.ts',
      'agent/test/agent-bundle.ts',
    ],
    setupFiles: ['tools/test-priority.ts'],
    // There is no second attempt, so limits that only detect what hangs are far above what a busy machine needs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    ...nodeWorkers,
  },
})
