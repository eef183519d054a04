import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    name: 'server',
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/world/template-database.ts', 'test/world/installations.ts', '../console/test/built-pages.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // Loading the service for every file again would take a third of the time.
    isolate: false,
  },
})
