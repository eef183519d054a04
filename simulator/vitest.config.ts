import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    name: 'simulator',
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    isolate: false,
  },
})
