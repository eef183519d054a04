import type { ExeFacts, ExeFamily } from '../facts.ts'
import type { Confidence, ProposedLine } from './proposal.ts'
import { line } from './proposal.ts'

const log = 'muster-install.log'
const uninstallKey = 'HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall'

type Silent = {
  words: readonly string[]
  /** The words need quotation marks within a word, which only a line for the shell can have. */
  isShell?: true
  confidence: Confidence
  reason: string
  rebootCodes?: readonly number[]
}

/** How installers of each family run without questions. */
const silentInstallations: Record<ExeFamily, Silent> = {
  inno: {
    words: ['/VERYSILENT', '/SUPPRESSMSGBOXES', '/NORESTART', '/SP-', '/RESTARTEXITCODE=3010', `/LOG=${log}`],
    rebootCodes: [3010],
    confidence: 'certain',
    reason: 'Switches of every installer of Inno Setup',
  },
  nsis: { words: ['/S'], confidence: 'likely', reason: 'Switch of NSIS, which a script can ignore' },
  burn: {
    words: ['/quiet', '/norestart', '/log', log],
    rebootCodes: [3010, 1641],
    confidence: 'certain',
    reason: 'Switches of every bundle of WiX',
  },
  installshield: {
    words: ['/s', `/v"/qn /norestart /l*v ${log}"`],
    isShell: true,
    rebootCodes: [3010, 1641],
    confidence: 'likely',
    reason:
      'Switches of InstallShield with an MSI file. Others need a response file: record one with /r, and use /s /f1',
  },
  squirrel: { words: ['--silent'], confidence: 'certain', reason: 'Switch of Squirrel' },
  msiWrapper: {
    words: ['/quiet', '/norestart'],
    rebootCodes: [3010, 1641],
    confidence: 'guess',
    reason: 'The program contains an MSI file, and many such programs hand switches of msiexec on',
  },
  sevenZipSfx: { words: ['-y'], confidence: 'likely', reason: 'Switch of self-extracting archives of 7-Zip' },
  winrarSfx: { words: ['/S'], confidence: 'likely', reason: 'Switch of self-extracting archives of WinRAR' },
  zipSfx: { words: ['/S'], confidence: 'guess', reason: 'Many self-extracting archives accept it' },
  unknown: {
    words: ['/S'],
    confidence: 'guess',
    reason: 'The tool that made the installer is not known. Others accept /quiet, /silent or /qn: try /? first',
  },
}

/** Projects of InstallShield without an MSI file have other switches. */
const installScript: Silent = {
  words: ['/s'],
  confidence: 'guess',
  reason: 'An InstallScript project reads its answers from setup.iss: record it with /r, and put it beside the program',
}

export function silentInstallationOf({ family, versionTexts: { FileDescription = '' } }: ExeFacts): Silent {
  return family === 'installshield' && /InstallScript/i.test(FileDescription)
    ? installScript
    : silentInstallations[family]
}

/** Lines that only one family has: how the software is found and removed. */
export function familyLines(facts: ExeFacts, fileName: string): ProposedLine[] {
  const rules: Partial<Record<ExeFamily, (facts: ExeFacts, fileName: string) => ProposedLine[]>> = {
    inno: innoLines,
    nsis: nsisLines,
    burn: burnLines,
    squirrel: squirrelLines,
  }
  return rules[facts.family]?.(facts, fileName) ?? []
}

const versionIn = (value: string, version: string | undefined) =>
  version !== undefined && /^\d+(\.\d+)*$/.test(version) ? { value, minVersion: version } : {}

/** cmd gives other characters a meaning, even within quotation marks. */
const isPlain = (text: string) => /^[\w .()+,@~-]{1,100}$/.test(text)

/** Whether the installer puts its files into the profile of a user. */
export const isInnoForOneUser = ({ inno }: ExeFacts) => /^\{(user|local)/.test(inno?.defaultFolder ?? '')

function innoLines(facts: ExeFacts): ProposedLine[] {
  const { inno = {}, familyVersion = '0' } = facts
  const { appId, name, defaultFolder, version, architecturesIn64BitMode = '' } = inno
  const is64Bit = /x64|arm64|win64/i.test(architecturesIn64BitMode)
  // Headers of earlier versions have it in a form that is not read.
  const knowsMode = familyVersion.localeCompare('6.3', 'en', { numeric: true }) >= 0
  const confidence = knowsMode && !isInnoForOneUser(facts) ? 'likely' : 'guess'
  const assumption = knowsMode ? '' : ', if it installs in 32-bit mode'
  const folder = /^\{(?:auto|common)?pf(?:32|64)?\}\\(.+)$/.exec(defaultFolder ?? '')?.[1]
  const programs = is64Bit ? '%ProgramFiles%' : '%ProgramFiles(x86)%'
  const lines: ProposedLine[] = []
  if (folder?.split('\\').every(isPlain)) {
    const command = `"${programs}\\${folder}\\unins000.exe" /VERYSILENT /SUPPRESSMSGBOXES /NORESTART`
    lines.push(line('commands.uninstall.shell', command, confidence, `Uninstaller in the default folder${assumption}`))
  }
  const id = appId ?? name
  if (id !== undefined) {
    const key = `${uninstallKey}\\${id}_is1`
    const detected = { key, view: is64Bit ? '64' : '32', ...versionIn('DisplayVersion', version) }
    const reason = `Key that Inno Setup writes for this application${assumption}`
    lines.push(line('commands.detect.registry', detected, appId === undefined ? 'guess' : confidence, reason))
  }
  return lines
}

function nsisLines({ versionTexts, productVersion }: ExeFacts): ProposedLine[] {
  const name = versionTexts.ProductName
  if (name === undefined || !isPlain(name)) return []
  const folder = `%ProgramFiles(x86)%\\${name}`
  const reason = 'Scripts of NSIS choose it themselves, and most use the name of the product'
  return [
    // Without the last word, the uninstaller would end before its work is done.
    line('commands.uninstall.shell', `"${folder}\\uninstall.exe" /S _?=${folder}`, 'guess', reason),
    line(
      'commands.detect.registry',
      { key: `${uninstallKey}\\${name}`, view: '32', ...versionIn('DisplayVersion', productVersion) },
      'guess',
      reason,
    ),
  ]
}

function burnLines({ bundleId, productVersion, architecture }: ExeFacts, fileName: string): ProposedLine[] {
  const removal = [fileName, '/uninstall', '/quiet', '/norestart', '/log', log]
  const view = architecture === 'x86' ? '32' : '64'
  return [
    line('commands.uninstall.argv', removal, 'certain', 'Switches of every bundle of WiX'),
    line('commands.uninstall.rebootCodes', [3010, 1641], 'certain', 'Return codes of Windows Installer'),
    ...(bundleId === undefined
      ? []
      : [
          line(
            'commands.detect.registry',
            { key: `${uninstallKey}\\${bundleId}`, view, ...versionIn('BundleVersion', productVersion) },
            'likely',
            'Bundles of WiX register under their identifier, which the file contains',
          ),
        ]),
  ]
}

function squirrelLines({ squirrel }: ExeFacts): ProposedLine[] {
  if (!squirrel || !isPlain(squirrel.id)) return []
  const updater = `%LocalAppData%\\${squirrel.id}\\Update.exe`
  const reason = 'Squirrel installs into the profile of the account that runs it'
  return [
    line('commands.uninstall.shell', `"${updater}" --uninstall -s`, 'likely', reason),
    line('commands.detect.file', { path: updater }, 'guess', reason),
  ]
}
