import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    name: 'agent',
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    maxWorkers: 2,
  },
})
