import type { Reporter, TestModule } from 'vitest/node'
import { findExceededBudgets, readBudgets, writeBudgets } from './test-budgets.ts'
import { listFolderTimes, pathOf, secondsOf } from './test-times.ts'

const slowestFiles = 15

/**
 * Says what each minute of a run went to: by folder, and for the slowest files. Files run side by side, so their times overlap.
 * Names the folders that exceed their budget, which fails the run.
 */
export class TimeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    // The times of a few files are in the list of the tests.
    if (modules.length <= slowestFiles) return
    const times = modules.map((module) => ({ module, seconds: secondsOf(module) }))
    const total = times.reduce((sum, { seconds }) => sum + seconds, 0)
    const folders = listFolderTimes(modules)
    const byTime = <T extends { seconds: number }>(list: T[]) => list.toSorted((a, b) => b.seconds - a.seconds)
    console.log(`\n Time of ${modules.length} files: ${total.toFixed(0)} s, by folder`)
    for (const { name, files, seconds } of byTime(folders))
      console.log(`${seconds.toFixed(1).padStart(8)} s ${share(seconds, total)}  ${name} (${files})`)
    console.log(`\n Slowest files`)
    for (const { module, seconds } of byTime(times).slice(0, slowestFiles))
      console.log(`${seconds.toFixed(1).padStart(8)} s ${share(seconds, total)}  ${pathOf(module)}`)
    console.log()
    if (process.env.MUSTER_WRITE_TEST_BUDGETS) writeBudgets(folders)
    else checkBudgets(folders)
  }
}

function checkBudgets(folders: ReturnType<typeof listFolderTimes>): void {
  const result = findExceededBudgets(folders, readBudgets())
  if (!result) return
  console.log(` This machine takes ${result.slowdown.toFixed(1)} times as long as the reference.`)
  for (const { name, seconds, allowed } of result.exceeded)
    console.log(
      ` ${name} took ${seconds.toFixed(0)} s, but may take ${allowed.toFixed(0)} s here. Make its tests cheaper, or change its budget in tools/test-budgets.json.`,
    )
  if (result.exceeded.length > 0) process.exitCode = 1
}

const share = (seconds: number, total: number) => `${((100 * seconds) / total).toFixed(1).padStart(5)} %`
