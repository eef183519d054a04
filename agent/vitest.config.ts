import { defineProject } from 'vitest/config'
import { nodeWorkers } from '../tools/test-workers.ts'

export default defineProject({
  test: {
    name: 'agent',
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/agent-bundle.ts'],
    setupFiles: ['../tools/test-priority.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    ...nodeWorkers,
  },
})
