import { defineProject } from 'vitest/config'
import { nodeWorkers } from '../tools/test-workers.ts'

export default defineProject({
  test: {
    name: 'cli',
    include: ['test/**/*.test.ts'],
    setupFiles: ['../tools/test-priority.ts'],
    testTimeout: 30_000,
    ...nodeWorkers,
  },
})
