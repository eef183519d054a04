import { readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { expect } from 'vitest'
import './direct-imports.ts'
import { kindOf } from './test-kinds.ts'

// Run before each test file. Files that compute for long fill the time in which those with real processes wait, and do not make
// them miss a deadline. Programs that a file starts have its priority.
const { testPath } = expect.getState()
const isComputing = testPath !== undefined && kindOf(readFileSync(testPath, 'utf8')) === 'computing'
const normal = getPriority(process.ppid)

try {
  setPriority(isComputing ? Math.min(normal + 10, 19) : normal)
} catch {
  // Only root may raise a priority again. Then the worker keeps the low one, as others do in the end.
}
