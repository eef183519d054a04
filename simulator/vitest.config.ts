import { defineProject } from 'vitest/config'
import { nodeWorkers } from '../tools/test-workers.ts'

export default defineProject({
  test: {
    name: 'simulator',
    include: ['test/**/*.test.ts'],
    setupFiles: ['../tools/test-priority.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    ...nodeWorkers,
  },
})
