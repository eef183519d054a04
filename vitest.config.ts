import { defineConfig } from 'vitest/config'
import { PlainSummaryReporter } from './tools/plain-summary-reporter.ts'
import { SlowFirstSequencer } from './tools/slow-first-sequencer.ts'

export default defineConfig({
  test: {
    projects: ['server', 'agent', 'console', 'simulator'],
    reporters: ['default', new PlainSummaryReporter()],
    sequence: { sequencer: SlowFirstSequencer },
  },
})
