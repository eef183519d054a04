import { defineConfig } from 'vitest/config'
import { LongestFirstSequencer } from './tools/longest-first-sequencer.ts'
import { PlainSummaryReporter } from './tools/plain-summary-reporter.ts'

export default defineConfig({
  test: {
    projects: ['server', 'agent', 'console', 'simulator'],
    reporters: ['default', new PlainSummaryReporter()],
    sequence: { sequencer: LongestFirstSequencer },
  },
})
