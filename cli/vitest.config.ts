import { defineProject } from 'vitest/config'
import { testWorkers } from '../tools/test-workers.ts'

export default defineProject({
  test: {
    name: 'cli',
    include: ['test/**/*.test.ts'],
    setupFiles: ['../tools/test-priority.ts'],
    testTimeout: 30_000,
    maxWorkers: testWorkers,
    isolate: false,
  },
})
