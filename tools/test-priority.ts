import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { expect } from 'vitest'
import { kindOf } from './test-kinds.ts'

// Run before each test file. Files that compute fill the time in which those with real processes wait, and do not make them miss
// a deadline. Programs that a file starts have its priority.
const { PRIORITY_NORMAL, PRIORITY_BELOW_NORMAL } = constants.priority
const { testPath } = expect.getState()
const isWaiting = testPath !== undefined && kindOf(readFileSync(testPath, 'utf8')) === 'waiting'

try {
  setPriority(isWaiting ? PRIORITY_NORMAL : PRIORITY_BELOW_NORMAL)
} catch {
  // Only root may raise a priority again. Then the worker keeps the low one, as all others do in the end.
}
