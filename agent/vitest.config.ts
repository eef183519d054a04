import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    name: 'agent',
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    maxWorkers: 2,
    // The tests share nothing but code, and a fresh worker for each file costs more than some of them.
    isolate: false,
  },
})
