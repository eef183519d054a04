import type { ManifestCommand } from '@muster/package-format'

/** File that the detect command of a job leaves for a later command when the software was installed before. */
const presenceMarker = '.muster-was-there'

/** How commands of a package become command lines for agents, and how agents see their exit codes. */
export type CommandLines = {
  /** Runs the command in the folder of the package, within its time limit. */
  run(command: ManifestCommand): string
  /** The same, but only if the software was installed. */
  runIfPresent(command: ManifestCommand): string
  /** Runs the detect command and leaves the marker file if the software is installed. */
  markPresence(detect: ManifestCommand): string
  /** The exit code that the agent observes for a code of the manifest. */
  observedCode(code: number): number
}

// Agents for Linux and macOS have no time limit of their own. macOS has no `timeout`, but every agent comes with Perl.
const limit =
  'limit() { if command -v timeout >/dev/null 2>&1; then timeout -k 30 "$@"; ' +
  'else perl -e \'alarm shift; exec @ARGV or exit 127\' "$@"; fi; }'

// Packages have no file modes, and a command may run any of its files.
const prepare = `chmod -R 755 . ; export MUSTER_PACKAGE_FOLDER="$PWD" ; ${limit}`

export const unixCommandLines: CommandLines = {
  run: (command) => `(${prepare} ; ${limitCommand(command)})`,
  runIfPresent: (command) => `(if [ -e ${presenceMarker} ] ; then ${prepare} ; ${limitCommand(command)} ; fi)`,
  markPresence: (detect) => {
    const codes = (detect.successCodes ?? [0]).map((code) => unixCommandLines.observedCode(code)).join('|')
    return `(${prepare} ; ${limitCommand(detect)} ; case $? in ${codes}) touch ${presenceMarker} ;; esac)`
  },
  // Unix keeps only the lowest eight bits.
  observedCode: (code) => code & 0xff,
}

function limitCommand({ argv, shell = '', timeLimitMinutes = 60 }: ManifestCommand): string {
  const command = argv ?? ['sh', '-c', shell]
  return `limit ${timeLimitMinutes * 60} ${command.map(quoteUnixArgument).join(' ')}`
}

function quoteUnixArgument(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`
}

/** Agents run these as a batch file and end it after two hours. */
export const windowsCommandLines: CommandLines = {
  run: buildWindowsLine,
  runIfPresent: (command) => `if not exist ${presenceMarker} exit /b 0\r\n${buildWindowsLine(command)}`,
  markPresence: (detect) => {
    const codes = (detect.successCodes ?? [0]).map((code) => `if "%found%"=="${code | 0}" echo 1>${presenceMarker}`)
    return [buildWindowsLine(detect), 'set found=%errorlevel%', ...codes].join('\r\n')
  },
  observedCode: (code) => code,
}

function buildWindowsLine({ argv, shell = '' }: ManifestCommand): string {
  return `set MUSTER_PACKAGE_FOLDER=%CD%\r\n${argv ? argv.map(quoteWindowsArgument).join(' ') : shell}`
}

/** Quotes an argument the way Windows programs parse their command line. In a batch file a percent sign must be doubled. */
function quoteWindowsArgument(argument: string): string {
  const text = argument.replaceAll('%', '%%')
  if (/^[\w%+=:,./\\-]+$/.test(text)) return text
  return `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`
}

/** The code of the manifest that an observed exit code corresponds to; the observed code when the manifest has none. */
export function toManifestCode(observed: number, lines: CommandLines, manifestCodes: readonly number[]): number {
  if (manifestCodes.includes(observed)) return observed
  return manifestCodes.find((code) => lines.observedCode(code) === observed) ?? observed
}
