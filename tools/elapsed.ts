import { expect } from 'vitest'

export async function secondsOf(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1_000
}

/**
 * A busy machine takes several times as long for the same work, so a limit says little about the work itself. It says
 * something about a wait: this expects that there was none, by the time that the wait would have taken.
 */
export function expectSooner(seconds: number, { thanWithDefect: defectSeconds }: { thanWithDefect: number }): void {
  if (defectSeconds < 2)
    throw new Error('A busy machine is as slow as this defect: make the wait of the defect longer.')
  expect(seconds).toBeLessThan(defectSeconds * 0.9)
}
