import { defineProject } from 'vitest/config'
import { nodeWorkers } from '../tools/test-workers.ts'

export default defineProject({
  test: {
    name: 'client',
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    ...nodeWorkers,
  },
})
