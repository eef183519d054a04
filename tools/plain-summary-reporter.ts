import type { Reporter, TestModule } from 'vitest/node'
import { findExceededBudgets, readBudgets } from './test-budgets.ts'
import { listFolderTimes } from './test-times.ts'

/** Prints one plain line at the end of a run, which programs can parse. A folder that exceeds its time budget is a failure, too. */
export class PlainSummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    const brokenModules = modules.filter((module) => module.errors().length > 0).length
    const exceeded = findExceededBudgets(listFolderTimes(modules), readBudgets())?.exceeded.length ?? 0
    const failed = count('failed') + brokenModules + errors.length + exceeded
    process.once('exit', () => console.log(`${count('passed')} passed, ${failed} failed`))
  }
}
