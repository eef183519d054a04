import type { AppImageFacts, DebFacts, InstallerScript, RpmFacts, ScriptFacts } from '../facts.ts'
import { linuxArchitectureLines } from './conditions.ts'
import { identityLines, textLines, toPathName } from './names.ts'
import { line, type Proposal, type ProposedLine, type ProposedRequirement, requirement } from './proposal.ts'

const dependenciesFrom = (source: string, dependencies: readonly string[]): ProposedRequirement[] =>
  dependencies.map((one) => requirement('dependency', one, 'certain', `From ${source}`))

export function proposeForDeb(facts: DebFacts, fileName: string): Proposal {
  const { name, version, architecture, maintainer, description, dependencies } = facts
  const control = 'the control file of the package'
  const apt = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-y', '-o', 'Dpkg::Options::=--force-confold']
  return {
    lines: [
      line('name', name, 'certain', `From ${control}`),
      line('version', version, 'certain', `From ${control}`),
      ...textLines({ author: maintainer, description }, `From ${control}`),
      line('operatingSystems', ['debian', 'ubuntu'], 'likely', 'Systems with dpkg. Add others that agents report'),
      ...linuxArchitectureLines(architecture, `From ${control}`),
      line(
        'commands.install.argv',
        [...apt, 'install', `./${fileName}`],
        'certain',
        'apt also installs what it depends on',
      ),
      line(
        'commands.uninstall.argv',
        [...apt, 'remove', name],
        'certain',
        'Keeps changed settings. purge removes them',
      ),
      line('commands.detect.dpkg', { package: name, minVersion: version }, 'certain', 'dpkg knows the package'),
    ],
    requirements: dependenciesFrom(control, dependencies),
    warnings: scriptWarnings(facts.scripts),
  }
}

export function proposeForRpm(facts: RpmFacts, fileName: string): Proposal {
  const { name, version, release, architecture, vendor, summary, description, dependencies, isSource } = facts
  const header = 'the header of the package'
  return {
    lines: [
      line('name', name, 'certain', `From ${header}`),
      line('version', `${version}-${release}`, 'certain', `From ${header}`),
      ...textLines({ displayName: summary, author: vendor, description }, `From ${header}`),
      systemsOf(release),
      ...linuxArchitectureLines(architecture, `From ${header}`),
      ...(isForSuse(release) ? zypperLines(name, fileName) : dnfLines(name, fileName, release)),
      line(
        'commands.detect.argv',
        ['rpm', '-q', '--quiet', `${name}-${version}-${release}`],
        'certain',
        'Finds this version',
      ),
    ],
    requirements: dependenciesFrom(header, dependencies),
    warnings: [...(isSource ? ['The package contains sources, not software.'] : []), ...scriptWarnings(facts.scripts)],
  }
}

/** Distributions that have no dnf yet. */
const yumRelease = /\.(el[5-7]|amzn[12])(?!\d)/

function dnfLines(name: string, fileName: string, release: string): ProposedLine[] {
  const tool = yumRelease.test(release) ? 'yum' : 'dnf'
  const reason =
    systemsOf(release).confidence === 'guess'
      ? 'SUSE has zypper in place of it'
      : 'The release of the package names the distribution'
  return [
    line('commands.install.argv', [tool, '-y', 'install', `./${fileName}`], 'likely', reason),
    line('commands.uninstall.argv', [tool, '-y', 'remove', name], 'likely', reason),
  ]
}

function zypperLines(name: string, fileName: string): ProposedLine[] {
  const zypper = ['zypper', '--non-interactive']
  const reason = 'The release of the package names the distribution'
  const codes =
    'zypper ends with 102 if a restart must follow, 103 if it was updated itself, 106 if a repository was skipped'
  return [
    line('commands.install.argv', [...zypper, 'install', '--allow-unsigned-rpm', `./${fileName}`], 'likely', reason),
    line('commands.install.successCodes', [0, 103, 106], 'certain', codes),
    line('commands.install.rebootCodes', [102], 'certain', codes),
    line('commands.uninstall.argv', [...zypper, 'remove', name], 'likely', reason),
  ]
}

const scriptWarnings = (scripts: readonly InstallerScript[]) =>
  scripts.length === 0
    ? []
    : [`The package runs its own scripts as root: ${scripts.map(({ name }) => name).join(', ')}.`]

const suseRelease = /\b(lp\d+|bp\d+|suse)/i

const isForSuse = (release: string) => suseRelease.test(release)

/** Distributions mark what is built for them in the release. */
function systemsOf(release: string): ProposedLine {
  const families = [
    [/\.el\d+/, ['rhel', 'rocky', 'almalinux', 'centos']],
    [/\.fc\d+/, ['fedora']],
    [/\.amzn\d+/, ['amzn']],
    [suseRelease, ['opensuse-leap', 'sles']],
  ] as const
  const systems = families.find(([pattern]) => pattern.test(release))?.[1]
  return systems
    ? line('operatingSystems', systems, 'likely', 'From the release of the package')
    : line('operatingSystems', ['Linux'], 'guess', 'The release does not name a distribution')
}

const powershell = ['powershell.exe', '-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-File']

export function proposeForScript(facts: ScriptFacts, fileName: string): Proposal {
  const { interpreter, generator, label } = facts
  const isForWindows = ['cmd', 'powershell'].includes(interpreter)
  const silent = generator === 'makeself' ? ['--accept', '--nox11', '--noprogress'] : []
  const words = interpreter === 'powershell' ? powershell : [interpreter]
  const reason = generator === 'makeself' ? 'Switches of Makeself' : 'The script names its interpreter'
  const guess = { text: undefined, confidence: 'guess', reason: '' } as const
  const identity = label === undefined ? guess : ({ text: label, confidence: 'likely', reason: 'Label' } as const)
  return {
    lines: [
      ...identityLines(fileName, identity, guess),
      line('operatingSystems', [isForWindows ? 'Windows' : 'Linux'], 'likely', 'From the interpreter of the script'),
      interpreter === 'cmd'
        ? line('commands.install.shell', `"${fileName}"`, 'likely', 'Batch files run in the shell')
        : line('commands.install.argv', [...words, fileName, ...silent], generator ? 'likely' : 'guess', reason),
    ],
    requirements: isForWindows ? [] : [requirement('runtime', interpreter, 'certain', 'First line of the script')],
    warnings: ['Nothing says what the script does. Read it, and add how the software is found and removed.'],
  }
}

export function proposeForAppImage(facts: AppImageFacts, fileName: string): Proposal {
  const { name, version, comment, architecture } = facts
  const entry = { confidence: 'certain', reason: 'Desktop entry in the AppImage' } as const
  const identity = identityLines(fileName, { text: name, ...entry }, { text: version, ...entry })
  const stable = toPathName(String(identity[0]?.value))
  const path = `/opt/${stable}/${stable}.AppImage`
  const reason = 'An AppImage is one file, and any folder will do'
  return {
    lines: [
      ...identity,
      ...textLines({ displayName: name, description: comment }, entry.reason),
      line('operatingSystems', ['Linux'], 'certain', 'The format exists on Linux only'),
      ...(architecture === undefined ? [] : linuxArchitectureLines(architecture, 'Header of the program')),
      line('commands.install.argv', ['install', '-D', '-m', '0755', fileName, path], 'likely', reason),
      line('commands.uninstall.argv', ['rm', '-f', path], 'likely', reason),
      line('commands.detect.file', { path }, 'guess', 'Finds any version'),
    ],
    requirements: [requirement('runtime', 'FUSE', 'likely', 'AppImages mount themselves with it')],
    warnings: [],
  }
}
