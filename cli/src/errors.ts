import { visibleLines } from '@muster/text'

/** The command was used wrongly, for example with a name that is ambiguous. Exit code 2. */
export class UsageError extends Error {
  constructor(lines: string | readonly string[]) {
    super(visibleLines(lines))
  }
}

/** Something failed, and the message names it. Exit code 1. */
export class CommandFailure extends Error {
  constructor(lines: string | readonly string[]) {
    super(visibleLines(lines))
  }
}

/** Ends a command that has succeeded with an exit code of its own. */
export class ExitCode extends Error {
  readonly code: number

  constructor(code: number) {
    super(`The command ends with ${code}.`)
    this.code = code
  }
}
