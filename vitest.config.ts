import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { consolePages } from './console/vitest.config.ts'
import { faultMatrix, serviceTests } from './server/vitest.config.ts'
import { PlainSummaryReporter } from './tools/plain-summary-reporter.ts'
import { SlowFirstSequencer } from './tools/slow-first-sequencer.ts'
import { TimeReporter } from './tools/time-reporter.ts'

// Every program that a test starts, and every worker, begins with the code that an earlier one has compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node')

export default defineConfig({
  test: {
    projects: [serviceTests, 'agent', 'console', 'simulator', 'cli', 'client', 'packages', consolePages, faultMatrix],
    reporters: ['default', new TimeReporter(), new PlainSummaryReporter()],
    sequence: { sequencer: SlowFirstSequencer },
  },
})
