import { printError } from '@muster/text/print'
import { runCommandLine } from './command-line.ts'
import { ExpectedError } from './expected-error.ts'

// Without await at the top level, which a single executable cannot contain.
runCommandLine(process.argv.slice(2)).catch((error: unknown) => {
  printError(error instanceof ExpectedError ? error.message : error)
  process.exitCode = 1
})
