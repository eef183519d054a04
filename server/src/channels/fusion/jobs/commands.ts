import type { PackageCommand } from '../../../features/packages/manifest.ts'
import type { Static } from '../../../platform/schema.ts'

type Command = Static<typeof PackageCommand>

/** Whether the software was there before; made by one command of a job for a later one. */
const presence = '.muster-was-there'

/** How a command of a package becomes a line that agents run, and what its return codes are there. */
export type CommandLines = {
  /** Runs the command in the folder of the package, not longer than it may. */
  run(command: Command): string
  /** The same, only if the software was there. */
  runIfPresent(command: Command): string
  /** Runs the command, and remembers whether it says that the software is there. */
  remember(detect: Command): string
  /** The code that the agent sees for one that the manifest names. */
  seenCode(code: number): number
}

// The agents for Linux and macOS have no limit of their own. macOS has no `timeout`, but every agent brings Perl.
const limit =
  'limit() { if command -v timeout >/dev/null 2>&1; then timeout -k 30 "$@"; ' +
  'else perl -e \'alarm shift; exec @ARGV or exit 127\' "$@"; fi; }'

// Packages say nothing about modes, and a command may want to run any of its files.
const prepare = `chmod -R 755 . ; export MUSTER_PACKAGE_FOLDER="$PWD" ; ${limit}`

export const unixLines: CommandLines = {
  run: (command) => `(${prepare} ; ${limited(command)})`,
  runIfPresent: (command) => `(if [ -e ${presence} ] ; then ${prepare} ; ${limited(command)} ; fi)`,
  remember: (detect) => {
    const codes = (detect.successCodes ?? [0]).map((code) => unixLines.seenCode(code)).join('|')
    return `(${prepare} ; ${limited(detect)} ; case $? in ${codes}) touch ${presence} ;; esac)`
  },
  // The rest of the number is cut off.
  seenCode: (code) => code & 0xff,
}

function limited({ argv, shell = '', timeLimitMinutes = 60 }: Command): string {
  const words = argv ?? ['sh', '-c', shell]
  return `limit ${timeLimitMinutes * 60} ${words.map(unixWord).join(' ')}`
}

function unixWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** These run as a batch file, and the agent ends them after two hours. */
export const windowsLines: CommandLines = {
  run: windowsLine,
  runIfPresent: (command) => `if not exist ${presence} exit /b 0\r\n${windowsLine(command)}`,
  remember: (detect) => {
    const codes = (detect.successCodes ?? [0]).map((code) => `if "%found%"=="${code | 0}" echo 1>${presence}`)
    return [windowsLine(detect), 'set found=%errorlevel%', ...codes].join('\r\n')
  },
  seenCode: (code) => code,
}

function windowsLine({ argv, shell = '' }: Command): string {
  return `set MUSTER_PACKAGE_FOLDER=%CD%\r\n${argv ? argv.map(windowsWord).join(' ') : shell}`
}

/** As the programs of Windows take their line apart; in a batch file a percent sign stands for itself if it is doubled. */
function windowsWord(word: string): string {
  const text = word.replaceAll('%', '%%')
  if (/^[\w%+=:,./\\-]+$/.test(text)) return text
  return `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`
}

/** The code that the manifest means, where the agent sees only a part of it. */
export function meantCode(seen: number, lines: CommandLines, named: readonly number[]): number {
  if (named.includes(seen)) return seen
  return named.find((code) => lines.seenCode(code) === seen) ?? seen
}
