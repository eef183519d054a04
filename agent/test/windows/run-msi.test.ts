import { expect, test } from 'vitest'
import { runWithMsi } from '../../src/work/declared/run-msi.ts'
import type { CommandEnd } from '../../src/work/run-command.ts'

const command = {
  installer: { line: '/i "x.msi"', shownLine: '/i "x.msi"', log: '/nowhere/muster-msi.log' },
  ...{ timeLimitMinutes: 1, successCodes: [0], rebootCodes: [] },
}

const exited = (exitCode: number): CommandEnd => ({
  outcome: exitCode === 0 ? 'success' : 'failed',
  exitCode,
  output: '',
  errorText: exitCode === 0 ? null : `The command exited with code ${exitCode}.`,
})

/** What runs of msiexec end with, one after the other; the last one stays. */
async function runEnding(codes: number[], timeLimitMinutes = 1, signal = new AbortController().signal) {
  let [runs, waits] = [0, 0]
  const run = async () => exited(codes[Math.min(runs++, codes.length - 1)] ?? 0)
  const onWait = () => void waits++
  const end = await runWithMsi({ command: { ...command, timeLimitMinutes }, secrets: [], signal, run, onWait })
  return { end, runs, waits }
}

test('an installation that is refused because of another one is tried again', async () => {
  expect(await runEnding([1618, 0])).toMatchObject({ end: { outcome: 'success', exitCode: 0 }, runs: 2, waits: 1 })
})

test('an installation that is refused until its time limit fails, and the reason is the other installation', async () => {
  const { end, runs } = await runEnding([1618], 0.02)

  expect(end).toMatchObject({ outcome: 'failed', exitCode: 1618 })
  expect(end.errorText).toContain('another installation was running')
  expect(runs).toBe(1)
})

test('an agent that stops does not try again', async () => {
  expect(await runEnding([1618], 1, AbortSignal.abort())).toMatchObject({ end: { exitCode: 1618 }, runs: 1 })
})
