import { defineProject } from 'vitest/config'
import { testWorkers } from '../tools/test-workers.ts'

export default defineProject({
  test: {
    name: 'agent',
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/agent-bundle.ts'],
    setupFiles: ['../tools/test-priority.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: testWorkers,
    // The tests share nothing but code, and a fresh worker for each file costs more than some of them.
    isolate: false,
  },
})
