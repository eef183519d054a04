import { defineConfig } from 'vitest/config'
import { faultMatrix } from './server/vitest.config.ts'
import { PlainSummaryReporter } from './tools/plain-summary-reporter.ts'
import { SlowFirstSequencer } from './tools/slow-first-sequencer.ts'

export default defineConfig({
  test: {
    projects: ['server', 'agent', 'console', 'simulator', faultMatrix],
    reporters: ['default', new PlainSummaryReporter()],
    sequence: { sequencer: SlowFirstSequencer },
  },
})
