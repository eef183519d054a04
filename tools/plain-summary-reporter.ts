import type { Reporter, TestModule } from 'vitest/node'

/** Prints one plain line at the end of a run, which programs can parse. */
export class PlainSummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    const brokenModules = modules.filter((module) => module.errors().length > 0).length
    const failed = count('failed') + brokenModules + errors.length
    process.once('exit', () => console.log(`${count('passed')} passed, ${failed} failed`))
  }
}
