import type { MsiFacts, MsixFacts } from '../facts.ts'
import { isKnownOnWindows, windowsArchitectureLines, windowsVersionLines } from './conditions.ts'
import { identityLines, textLines } from './names.ts'
import { implied, line, type Proposal, requirement } from './proposal.ts'

export const onWindows = line('operatingSystems', ['Windows'], 'certain', 'The format exists on Windows only')
const productCodePattern = /^\{[\dA-F]{8}(-[\dA-F]{4}){3}-[\dA-F]{12}\}$/i

export const restartCodes = [3010, 1641]

export function proposeForMsi(facts: MsiFacts, fileName: string): Proposal {
  const { productName, productVersion, manufacturer, productCode = '', scope, architecture, conditions } = facts
  const hasCode = productCodePattern.test(productCode)
  const msiexec = 'What the agent does with MSI files'
  return {
    lines: [
      ...identityLines(
        fileName,
        { text: productName, confidence: 'likely', reason: 'ProductName of the MSI file' },
        { text: productVersion, confidence: 'certain', reason: 'ProductVersion of the MSI file' },
      ),
      ...textLines({ displayName: productName, author: manufacturer }, 'From the properties of the MSI file'),
      onWindows,
      ...(architecture === undefined ? [] : windowsArchitectureLines(architecture, fromTemplate)),
      line('msi.file', fileName, 'certain', 'The file is an MSI file'),
      ...(scope === 'machine' ? [] : [forAllUsers(scope)]),
      implied('commands.install.shell', `msiexec /i "${fileName}" /qn /norestart`, 'certain', msiexec),
      ...(hasCode ? productCodeLines(productCode, productVersion) : []),
      implied('commands.install.rebootCodes', restartCodes, 'certain', 'Return codes of Windows Installer'),
    ],
    requirements: [
      ...unknownArchitecture(architecture, fromTemplate.reason),
      ...conditions.map((text) =>
        requirement('condition', text, 'likely', 'Message of a launch condition of the MSI file'),
      ),
    ],
    warnings: [
      ...(hasCode ? [] : ['The MSI file has no valid product code, so agents refuse it.']),
      ...(facts.properties.ARPSYSTEMCOMPONENT === '1'
        ? ['Windows does not list the product among installed ones.']
        : []),
    ],
  }
}

const fromTemplate = { confidence: 'certain', reason: 'Template of the MSI file' } as const

/** No computer that is managed reports it, so a condition would keep the package from all of them. */
const unknownArchitecture = (architecture: string | undefined, reason: string) =>
  architecture === undefined || isKnownOnWindows(architecture)
    ? []
    : [requirement('architecture', architecture, 'certain', reason)]

function forAllUsers(scope: 'user' | 'choice') {
  const reason =
    scope === 'user'
      ? 'The MSI file installs for one user by default, and the agent runs as the system account'
      : 'The MSI file leaves the choice to its caller, and the agent runs as the system account'
  return line('msi.properties', { ALLUSERS: '1' }, scope === 'user' ? 'guess' : 'likely', reason)
}

function productCodeLines(productCode: string, version: string | undefined) {
  const product = { productCode, ...(version !== undefined && { minVersion: version }) }
  const reason = 'Product code of the MSI file'
  return [
    implied('commands.uninstall.shell', `msiexec /x ${productCode} /qn /norestart`, 'certain', reason),
    implied(
      'commands.uninstall.successCodes',
      [0, 1605, 1614],
      'certain',
      'A product that is not installed is removed',
    ),
    implied('commands.detect.msi', product, 'certain', `${reason}, and its version`),
  ]
}

export function proposeForMsix(facts: MsixFacts, fileName: string): Proposal {
  const { identity, fullName, displayName, publisherName, description, minWindowsVersion, dependencies } = facts
  const fromManifest = 'From the manifest of the package'
  const key = `HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Appx\\AppxAllUserStore\\Applications\\${fullName}`
  return {
    lines: [
      line('name', identity.name, 'certain', 'Identity in the manifest of the package'),
      line('version', identity.version, 'certain', 'Identity in the manifest of the package'),
      ...textLines({ displayName, author: publisherName, description }, fromManifest),
      onWindows,
      ...windowsArchitectureLines(identity.architecture, { confidence: 'certain', reason: fromManifest }),
      ...windowsVersionLines(minWindowsVersion, fromManifest),
      line('commands.install.argv', provision(fileName), 'likely', 'Provisions the package for all users'),
      line('commands.install.rebootCodes', [3010], 'certain', 'Return code of DISM'),
      line('commands.uninstall.argv', removeForAll(identity.name), 'likely', 'Removes it for all users, by its name'),
      line(
        'commands.detect.registry',
        { key, view: '64' },
        'likely',
        'Windows lists provisioned packages there, by version',
      ),
    ],
    requirements: [
      ...unknownArchitecture(identity.architecture, fromManifest),
      ...dependencies.map((name) => requirement('dependency', name, 'certain', fromManifest)),
    ],
    warnings: ['Computers must trust the certificate that signed the package.'],
  }
}

const provision = (fileName: string) => [
  ...['dism.exe', '/Online', '/NoRestart', '/Add-ProvisionedAppxPackage', `/PackagePath:${fileName}`],
  ...['/SkipLicense', '/Region:all'],
]

/** The name of an identity has only letters, digits, dots and hyphens. */
const removeForAll = (name: string) => [
  ...['powershell.exe', '-NoProfile', '-NonInteractive', '-Command'],
  `Get-AppxProvisionedPackage -Online | Where-Object DisplayName -EQ '${name}' | Remove-AppxProvisionedPackage -Online; ` +
    `Get-AppxPackage -AllUsers -Name '${name}' | Remove-AppxPackage -AllUsers`,
]
