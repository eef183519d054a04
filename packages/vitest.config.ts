import { defineProject } from 'vitest/config'

export default defineProject({ test: { name: 'packages', include: ['*/test/**/*.test.ts'] } })
