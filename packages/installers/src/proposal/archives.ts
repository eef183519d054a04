import type { ArchiveFacts } from '../facts.ts'
import { identityLines, toPathName } from './names.ts'
import { line, type Proposal } from './proposal.ts'

const onWindowsOnly = /\.(exe|msi|dll|msix|appx)$/i

/** An archive says little about itself: all lines are guesses. */
export function proposeForArchive(facts: ArchiveFacts, fileName: string): Proposal {
  const { format, installers, topLevel, isComplete } = facts
  const unknown = { text: undefined, confidence: 'guess', reason: '' } as const
  const identity = identityLines(fileName, unknown, unknown)
  const name = toPathName(String(identity[0]?.value))
  const isForWindows = format === 'zip' && [...installers, ...topLevel].some((path) => onWindowsOnly.test(path))
  const reason = 'Unpacks the archive into a folder of its own'
  return {
    lines: [
      ...identity,
      line('operatingSystems', [isForWindows ? 'Windows' : 'Linux'], 'guess', 'From the names of the files in it'),
      ...(isForWindows ? windowsLines(fileName, name, reason) : linuxLines(format, fileName, name, reason)),
    ],
    requirements: [],
    warnings: [
      ...(installers.length > 0
        ? [`The archive contains installers: ${installers.slice(0, 5).join(', ')}. Unpack it, and use one of them.`]
        : []),
      ...(isComplete ? [] : ['The archive is too large to list all of its files.']),
    ],
  }
}

/** Windows has a tar that reads ZIP archives since Windows 10. */
function windowsLines(fileName: string, name: string, reason: string) {
  const folder = `%ProgramFiles%\\${name}`
  return [
    line(
      'commands.install.shell',
      `(if not exist "${folder}" mkdir "${folder}") && tar -xf "${fileName}" -C "${folder}"`,
      'guess',
      reason,
    ),
    line('commands.uninstall.shell', `if exist "${folder}" rmdir /s /q "${folder}"`, 'guess', reason),
    line('commands.detect.file', { path: folder }, 'guess', `${reason}. Finds any version`),
  ]
}

/** The names consist of characters without a meaning for shells. */
function linuxLines(format: ArchiveFacts['format'], fileName: string, name: string, reason: string) {
  const folder = `/opt/${name}`
  const unpack = format === 'zip' ? `unzip -o -q '${fileName}' -d '${folder}'` : `tar -xf '${fileName}' -C '${folder}'`
  return [
    line('commands.install.shell', `mkdir -p '${folder}' && ${unpack}`, 'guess', reason),
    line('commands.uninstall.argv', ['rm', '-rf', folder], 'guess', reason),
    line('commands.detect.file', { path: folder }, 'guess', `${reason}. Finds any version`),
  ]
}
