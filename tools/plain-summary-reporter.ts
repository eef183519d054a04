import type { Reporter, TestModule } from 'vitest/node'

/** Names the tests that needed a second attempt, and prints one plain line at the end of a run, which programs can parse. */
export class PlainSummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    const brokenModules = modules.filter((module) => module.errors().length > 0).length
    const failed = count('failed') + brokenModules + errors.length
    const atSecondAttempt = tests.filter((test) => test.diagnostic()?.flaky)
    process.once('exit', () => {
      for (const test of atSecondAttempt)
        console.log(`passed at the second attempt: ${test.module.relativeModuleId} > ${test.fullName}`)
      console.log(`${count('passed')} passed, ${failed} failed`)
    })
  }
}
