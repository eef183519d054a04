import type { ExeFacts } from '../facts.ts'
import { innoArchitectureLines, windowsArchitectureLines } from './conditions.ts'
import { familyLines, isInnoForOneUser, silentInstallationOf } from './exe-families.ts'
import { identityLines, textLines } from './names.ts'
import { line, type Proposal, type ProposedLine } from './proposal.ts'
import { onWindows } from './windows.ts'

export function proposeForExe(found: ExeFacts, fileName: string): Proposal {
  const facts = withoutToolTexts(found)
  return {
    lines: [
      ...identityOf(facts, fileName),
      ...textLines(
        { displayName: facts.inno?.name ?? facts.versionTexts.ProductName, author: authorOf(facts) },
        'From the header, the version resource or the signature of the program',
      ),
      onWindows,
      ...(innoArchitectureLines(facts.inno?.architectures) ??
        windowsArchitectureLines(facts.architecture ?? 'neutral', {
          confidence: 'likely',
          reason: 'The installer itself is a program for it',
        })),
      ...installLines(facts, fileName),
      ...familyLines(facts, fileName),
    ],
    requirements: [],
    warnings: warningsAbout(facts),
  }
}

/** Tools that leave their own texts in the version resource of an installer. */
const toolNames =
  /^(InstallShield(?: \(R\))?|Squirrel-based application|Windows Installer XML Toolset|Microsoft® Windows® Operating System)$/i

function withoutToolTexts(facts: ExeFacts): ExeFacts {
  if (!toolNames.test(facts.versionTexts.ProductName ?? '')) return facts
  const { productVersion: _product, fileVersion: _file, ...rest } = facts
  const { FileDescription } = facts.versionTexts
  return { ...rest, versionTexts: facts.family === 'installshield' && FileDescription ? { FileDescription } : {} }
}

const authorOf = ({ inno, versionTexts, signer }: ExeFacts) =>
  inno?.publisher ?? (versionTexts.CompanyName || (signer?.organisation ?? signer?.name))

function identityOf({ inno, squirrel, versionTexts, productVersion, fileVersion }: ExeFacts, fileName: string) {
  if (squirrel)
    return identityLines(
      fileName,
      { text: squirrel.id, confidence: 'certain', reason: 'Name of the package that Squirrel installs' },
      { text: squirrel.version, confidence: 'certain', reason: 'Version of the package that Squirrel installs' },
    )
  const isExact = inno?.version !== undefined
  // An application without a version of its own has one in its full name.
  const versionInName = /\d+(?:\.\d+)+\w*$/.exec(inno?.versionedName ?? '')?.[0]
  return identityLines(
    fileName,
    {
      text: inno?.name ?? versionTexts.ProductName,
      confidence: 'likely',
      reason: inno?.name === undefined ? 'Version resource of the program' : 'Header of the installer',
    },
    {
      text: inno?.version ?? versionInName ?? productVersion ?? fileVersion,
      confidence: isExact ? 'certain' : 'likely',
      reason: isExact || versionInName ? 'Header of the installer' : 'Version resource of the program',
    },
  )
}

function installLines(facts: ExeFacts, fileName: string): ProposedLine[] {
  const { words, isShell, confidence, reason, rebootCodes } = silentInstallationOf(facts)
  return [
    isShell
      ? line('commands.install.shell', [`"${fileName}"`, ...words].join(' '), confidence, reason)
      : line('commands.install.argv', [fileName, ...words], confidence, reason),
    ...(rebootCodes
      ? [line('commands.install.rebootCodes', rebootCodes, confidence, 'Return codes of the family')]
      : []),
  ]
}

function warningsAbout(facts: ExeFacts): string[] {
  const { family, isUninstaller, isLibrary, runs, needsAdministrator } = facts
  const warnings: [boolean | undefined, string][] = [
    [isLibrary, 'The file is a library, not a program.'],
    [isUninstaller, 'The file removes software: it is an uninstaller.'],
    [family === 'unknown', 'The tool that made the installer is not known: try the commands on one computer first.'],
    [
      family === 'squirrel',
      'Squirrel installs for one user, and the agent runs as the system account. Ask the vendor for an MSI file.',
    ],
    [
      isInnoForOneUser(facts),
      'The installer puts its files into the profile of the account that runs it, and the agent runs as the system account.',
    ],
    [runs !== undefined, `The archive runs '${runs}' after it is unpacked, which may ask questions.`],
    [
      // Others ask for the rights while they run.
      needsAdministrator === false && family === 'nsis',
      'The installer does not ask for the rights of an administrator: it may install for one user only.',
    ],
  ]
  return warnings.filter(([applies]) => applies).map(([, text]) => text)
}
