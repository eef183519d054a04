import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    name: 'console',
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/built-pages.ts'],
    testTimeout: 30_000,
    maxWorkers: 3,
    isolate: false,
  },
})
