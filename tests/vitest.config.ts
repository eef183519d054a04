import { defineProject } from 'vitest/config'
import { testWorkers } from '../tools/test-workers.ts'

/** Tests of several programs together. */
export default defineProject({
  test: {
    name: 'tests',
    include: ['**/*.test.ts'],
    globalSetup: [
      '../server/test/world/service-bundle.ts',
      '../server/test/world/template-database.ts',
      '../server/test/world/installations.ts',
      '../console/test/built-pages.ts',
      '../agent/test/agent-bundle.ts',
    ],
    setupFiles: ['../tools/test-priority.ts'],
    // As in server/vitest.config.ts.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: testWorkers,
    isolate: false,
  },
})
