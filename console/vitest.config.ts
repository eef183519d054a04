import { defineProject } from 'vitest/config'
import { testWorkers } from '../tools/test-workers.ts'

export default defineProject({
  test: {
    name: 'console',
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/built-pages.ts'],
    setupFiles: ['../tools/test-priority.ts'],
    testTimeout: 30_000,
    maxWorkers: testWorkers,
    isolate: false,
  },
})
