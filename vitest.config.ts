import { defineConfig } from 'vitest/config'
import { PlainSummaryReporter } from './tools/plain-summary-reporter.ts'

export default defineConfig({
  // Many tests wait for processes, so that two at a time are quicker even where the database shares their cores.
  test: { projects: ['server'], maxWorkers: 2, reporters: ['default', new PlainSummaryReporter()] },
})
