import { defineProject } from 'vitest/config'
import { testWorkers } from '../tools/test-workers.ts'

export default defineProject({
  test: { name: 'packages', include: ['*/test/**/*.test.ts'], maxWorkers: testWorkers, isolate: false },
})
