import { type Confidence, line, type ProposedLine } from './proposal.ts'

/** The architectures of computers that run Windows. */
const windowsArchitectures = ['x86', 'x64', 'arm64']

/**
 * On which of them software for an architecture runs. Windows on x64 and on ARM runs programs for x86, and Windows 11 on ARM those
 * for x64. Windows on ARM no longer runs programs for 32-bit ARM.
 */
const hostsOnWindows = new Map([
  ['neutral', windowsArchitectures],
  ['x86', windowsArchitectures],
  ['x64', ['x64', 'arm64']],
  ['arm64', ['arm64']],
  ['arm', ['arm']],
])

export const isKnownOnWindows = (architecture: string) => hostsOnWindows.has(architecture)

/** The condition for software for Windows, except where its vendor does not support it. None if it runs everywhere. */
export function windowsArchitectureLines(
  architecture: string,
  { confidence, reason }: { confidence: Confidence; reason: string },
  unsupported: readonly string[] = [],
): ProposedLine[] {
  const hosts = hostsOnWindows.get(architecture) ?? []
  const supported = hosts.filter((host) => !unsupported.some((one) => one.toLowerCase() === host))
  // Software that runs nowhere is a mistake in what the vendor states.
  const architectures = supported.length === 0 ? hosts : supported
  if (windowsArchitectures.every((host) => architectures.includes(host)) || architectures.length === 0) return []
  const isEmulated = architecture === 'x64' && architectures.includes('arm64')
  return [
    line(
      'onlyFor.architectures',
      architectures,
      confidence,
      isEmulated ? `${reason}. Windows 11 on ARM runs programs for x64 as well` : reason,
    ),
  ]
}

/** What a script of Inno Setup allows. Other expressions combine these, and are not evaluated. */
const allowedByInno = new Map([
  ['x64compatible', ['x64', 'arm64']],
  ['win64', ['x64', 'arm64']],
  ['x64os', ['x64']],
  ['x64', ['x64']],
  ['arm64', ['arm64']],
  ['x86os', ['x86']],
])

/** The condition for an installer of Inno Setup that refuses to run elsewhere, or undefined if its header does not have it. */
export function innoArchitectureLines(allowed = ''): ProposedLine[] | undefined {
  const architectures = allowedByInno.get(allowed.trim().toLowerCase())
  return architectures && [line('onlyFor.architectures', architectures, 'certain', 'Header of the installer')]
}

/** Computers report three numbers of the version of Windows, and a fourth would make each of them too old. */
export function windowsVersionLines(minVersion: string | undefined, reason: string): ProposedLine[] {
  const reported = /^\d{1,5}(\.\d{1,5}){0,2}/.exec(minVersion ?? '')?.[0]
  return reported === undefined ? [] : [line('onlyFor.osVersion.min', reported, 'certain', reason)]
}

const linuxSpellings = new Map([
  ['amd64', 'x64'],
  ['x86_64', 'x64'],
  ['i386', 'x86'],
  ['i686', 'x86'],
  ['aarch64', 'arm64'],
])
const everyArchitecture = ['all', 'any', 'noarch']

/** The condition for software for Linux, which emulates nothing. */
export function linuxArchitectureLines(architecture: string, reason: string): ProposedLine[] {
  if (everyArchitecture.includes(architecture)) return []
  const name = linuxSpellings.get(architecture) ?? architecture
  return [
    name === 'x86'
      ? line('onlyFor.architectures', [name], 'likely', `${reason}. Add x64 for computers with the libraries for x86`)
      : line('onlyFor.architectures', [name], 'certain', reason),
  ]
}
