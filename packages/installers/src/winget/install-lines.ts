import { pathFault } from '@muster/package-format'
import { implied, line, type ProposedLine } from '../proposal/proposal.ts'
import { type ConvertedType, familyRebootCodes, familySilence, isMsi } from './families.ts'
import type { WingetReason } from './reasons.ts'
import { type Arguments, isPlainLine, statedSilence, toArguments, toMsiProperties } from './switches.ts'
import type { WingetInstaller } from './winget-manifest.ts'

const fromManifest = 'Switches of the winget manifest'
export const byMsiexec = 'What the agent does with MSI files'

/** The lines that install the file, or why a person has to write them. `type` is that of the file that runs. */
export function installLines(
  installer: WingetInstaller,
  type: ConvertedType,
  fileName: string,
): ProposedLine[] | WingetReason {
  if (installer.type === 'zip') return nestedLines(installer, type, fileName)
  return isMsi(type) ? msiLines(installer, type, fileName) : exeLines(installer, type, fileName)
}

function msiLines(installer: WingetInstaller, type: ConvertedType, fileName: string): ProposedLine[] | WingetReason {
  const { switches, scope } = installer
  const texts = [statedSilence(installer) ?? '', switches.Custom ?? '']
  const stated = toMsiProperties(texts)
  const forAll = scope === undefined && !hasAllUsers(stated ?? {}) ? { ALLUSERS: '1' } : {}
  const codes = codeLines(installer, type)
  const file = line('msi.file', fileName, 'certain', 'The winget manifest says that the file is an MSI file')
  if (stated && !hasOwnCodes(installer)) {
    const properties = { ...forAll, ...stated }
    const byAgent = implied('commands.install.shell', `msiexec /i "${fileName}" /qn /norestart`, 'certain', byMsiexec)
    if (Object.keys(properties).length === 0) return [file, byAgent]
    const reason = scope === undefined ? `${fromManifest}, and for all users` : fromManifest
    return [file, line('msi.properties', properties, scope === undefined ? 'likely' : 'certain', reason), byAgent]
  }
  const command = ['msiexec /i', `"${fileName}"`, '/qn /norestart', ...texts.map(withoutDisplay)].join(' ').trim()
  if (!isPlainLine(command)) return 'switches'
  return [file, line('commands.install.shell', command, 'likely', fromManifest), ...codes]
}

const hasAllUsers = (properties: Record<string, string>) =>
  Object.keys(properties).some((name) => ['ALLUSERS', 'MSIINSTALLPERUSER'].includes(name.toUpperCase()))

/** The command has these options already. */
const withoutDisplay = (text: string) =>
  text.replace(/(^|\s)\/(quiet|passive|q[nrbf]?|norestart)(?=\s|$)/gi, ' ').trim()

function exeLines(installer: WingetInstaller, type: ConvertedType, fileName: string): ProposedLine[] | WingetReason {
  const silence = silenceOf(installer, type)
  if (!silence) return 'noSilence'
  const given = toArguments([...silence.texts, installer.switches.Custom ?? ''])
  if (!given) return 'switches'
  return [commandLine(fileName, given, silence), ...codeLines(installer, type)]
}

type Silence = { texts: readonly string[]; confidence: 'certain' | 'likely'; reason: string }

/** The manifest knows its installer better than the rules of the family do. */
export function silenceOf(installer: WingetInstaller, type: ConvertedType): Silence | undefined {
  const stated = statedSilence(installer)
  if (stated !== undefined) return { texts: [stated], confidence: 'certain', reason: fromManifest }
  const family = familySilence(type)
  return family && { texts: family.words, confidence: 'certain', reason: family.reason }
}

function commandLine(fileName: string, given: Arguments, { confidence, reason }: Silence): ProposedLine {
  return 'words' in given
    ? line('commands.install.argv', [fileName, ...given.words], confidence, reason)
    : line('commands.install.shell', `"${fileName}" ${given.line}`, confidence, reason)
}

/** Windows has a tar that reads ZIP archives since Windows 10. */
function nestedLines(installer: WingetInstaller, type: ConvertedType, fileName: string): ProposedLine[] | WingetReason {
  const path = installer.nestedFile?.replaceAll('/', '\\').replace(/^\.\\/, '')
  if (path === undefined || pathFault(path) !== undefined || !/^[\w .,+@~()\\-]+$/.test(path)) return 'nestedFile'
  const silence = isMsi(type)
    ? { texts: ['/qn /norestart', withoutDisplay(statedSilence(installer) ?? '')] }
    : silenceOf(installer, type)
  if (!silence) return 'noSilence'
  const given = toArguments([...silence.texts, withoutDisplay(installer.switches.Custom ?? '')])
  if (!given) return 'switches'
  const words = 'words' in given ? given.words.join(' ') : given.line
  const run = `${isMsi(type) ? 'msiexec /i ' : ''}"${path}" ${words}`.trim()
  if (!isPlainLine(run)) return 'switches'
  const shell = `tar -xf "${fileName}" && ${run}`
  return [
    line('commands.install.shell', shell, 'likely', `Unpacks the archive. ${fromManifest}`),
    ...codeLines(installer, type),
  ]
}

const hasOwnCodes = ({ successCodes, expectedCodes }: WingetInstaller) =>
  successCodes.length > 0 || expectedCodes.some(({ response }) => isSuccess(response))

const isSuccess = (response: string) => response === 'alreadyinstalled' || isRestart(response)
const isRestart = (response: string) => ['rebootrequiredtofinish', 'rebootinitiated'].includes(response)

/** Return codes of the manifest beside those of the family. */
function codeLines({ successCodes, expectedCodes }: WingetInstaller, type: ConvertedType): ProposedLine[] {
  const restart = expectedCodes.filter(({ response }) => isRestart(response)).map(({ code }) => code)
  const present = expectedCodes.filter(({ response }) => response === 'alreadyinstalled').map(({ code }) => code)
  const rebootCodes = [...new Set([...familyRebootCodes[type], ...restart])]
  const success = [...new Set([0, ...successCodes, ...present])].filter((code) => !rebootCodes.includes(code))
  const reason = 'Return codes of the winget manifest and of the family'
  return [
    ...(success.length > 1 ? [line('commands.install.successCodes', success, 'certain', reason)] : []),
    ...(rebootCodes.length > 0 ? [line('commands.install.rebootCodes', rebootCodes, 'certain', reason)] : []),
  ]
}
