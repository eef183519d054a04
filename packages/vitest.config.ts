import { defineProject } from 'vitest/config'
import { testWorkers } from '../tools/test-workers.ts'

export default defineProject({
  test: {
    name: 'packages',
    include: ['*/test/**/*.test.ts'],
    testTimeout: 30_000,
    maxWorkers: testWorkers,
    isolate: false,
  },
})
