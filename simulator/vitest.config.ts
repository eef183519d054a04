import { defineProject } from 'vitest/config'
import { secondAttempt } from '../tools/second-attempt.ts'
import { testWorkers } from '../tools/test-workers.ts'

export default defineProject({
  test: {
    name: 'simulator',
    include: ['test/**/*.test.ts'],
    globalSetup: ['../server/test/world/service-bundle.ts'],
    testTimeout: 60_000,
    retry: secondAttempt,
    hookTimeout: 60_000,
    maxWorkers: testWorkers,
    isolate: false,
  },
})
