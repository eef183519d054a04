import type { Reporter, TestCase, TestModule } from 'vitest/node'

/**
 * Names the tests that needed a second attempt, with what the first one met, and prints one plain line at the end of a run, which
 * programs can parse.
 */
export class PlainSummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    const brokenModules = modules.filter((module) => module.errors().length > 0).length
    const failed = count('failed') + brokenModules + errors.length
    const atSecondAttempt = tests.filter((test) => test.diagnostic()?.flaky)
    process.once('exit', () => {
      for (const test of atSecondAttempt)
        console.log(
          `passed at the second attempt: ${test.module.relativeModuleId} > ${test.fullName}${firstErrorOf(test)}`,
        )
      console.log(`${count('passed')} passed, ${failed} failed`)
    })
  }
}

const maxErrorLength = 1_000

/** The message and the difference of the first attempt, on lines of their own: only they say why it failed. */
function firstErrorOf(test: TestCase): string {
  const [error] = test.result().errors ?? []
  const text = [error?.message, error?.diff].filter(Boolean).join('\n')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with this character
  const plain = text.replaceAll(/\u001b\[\d+m/g, '').slice(0, maxErrorLength)
  return plain === '' ? '' : `\n${plain.replaceAll(/^/gm, '    ')}`
}
