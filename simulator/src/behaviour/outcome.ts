import type { Machine } from '../machines/machine.ts'
import type { WorkItem, WorkResult } from '../protocol.ts'
import type { Draws } from '../random.ts'
import type { Platform, Scenario } from '../scenario.ts'

export type Outcome = Omit<WorkResult, 'attempt' | 'startedUtc' | 'finishedUtc'>

/** The outcome of work without a package. */
export const plainOutcome: Outcome = {
  status: 'Success',
  installationState: null,
  exitCode: null,
  commandLine: null,
  output: '',
  errorText: null,
  rebootRequired: false,
}

type Failure = { exitCode: number; errorText: string; output: string }

const failures: Record<Platform, readonly Failure[]> = {
  windows: [
    {
      exitCode: 1603,
      errorText: 'The command ended with code 1603.',
      output: 'MSI (s) (A4:1C): Product: Installation failed.\nFatal error during installation.\n',
    },
    {
      exitCode: 1618,
      errorText: 'The command ended with code 1618.',
      output: 'Another installation is already in progress.\n',
    },
    {
      exitCode: 112,
      errorText: 'The command ended with code 112.',
      output: 'There is not enough space on the disk.\n',
    },
    {
      exitCode: 5,
      errorText: 'The command ended with code 5.',
      output: 'Access is denied. A file is in use by another program.\n',
    },
  ],
  linux: [
    {
      exitCode: 100,
      errorText: 'The command ended with code 100.',
      output: 'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 4711.\n',
    },
    {
      exitCode: 1,
      errorText: 'The command ended with code 1.',
      output: 'dpkg: error processing package: dependency problems - leaving unconfigured\n',
    },
  ],
  macos: [
    {
      exitCode: 1,
      errorText: 'The command ended with code 1.',
      output: 'installer: Error - the package is not signed by a trusted certificate.\n',
    },
  ],
}

export type FinishedAttempt = {
  item: WorkItem
  work: Scenario['work']
  machine: Machine
  draws: Draws
  wasInstalled: boolean
}

/** Decides how an attempt ends. */
export function decideOutcome({ item, work, machine, draws, wasInstalled }: FinishedAttempt): Outcome {
  const commandLine = commandLines[machine.platform](item)
  const stateBefore = wasInstalled ? 'Installed' : 'NotInstalled'
  const mismatch = findMismatch(item, machine)
  if (mismatch) return { ...plainOutcome, status: 'Failed', errorText: mismatch }
  const isBroken = item.package !== null && work.brokenPackages.includes(item.package.name)
  if (draws.happens(work.failureRate) || isBroken)
    return {
      ...draws.pick(failures[machine.platform]),
      status: 'Failed',
      installationState: stateBefore,
      commandLine,
      rebootRequired: false,
    }
  return {
    ...plainOutcome,
    installationState: item.kind === 'Uninstall' ? 'Uninstalled' : 'Installed',
    exitCode: 0,
    commandLine,
    output: 'Done.\n',
    rebootRequired: draws.happens(work.rebootRate),
  }
}

/** Returns an error text if the package is for another operating system. */
function findMismatch({ package: subject }: WorkItem, { system }: Machine): string | undefined {
  const supported = subject?.operatingSystems ?? []
  const own = new Set(system.alsoKnownAs.map((name) => name.toLowerCase()))
  if (supported.length === 0 || supported.some((name) => own.has(name.toLowerCase()))) return undefined
  return `The package is for ${supported.join(', ')}; this computer runs ${system.caption}.`
}

export const commandLines: Record<Platform, (item: WorkItem) => string> = {
  windows: ({ kind, package: subject }) =>
    `msiexec /${kind === 'Uninstall' ? 'x' : 'i'} ${fileNameOf(subject?.name)}.msi /qn`,
  linux: ({ kind }) => `sh ${kind === 'Uninstall' ? 'uninstall' : 'install'}.sh`,
  macos: ({ package: subject }) => `installer -pkg ${fileNameOf(subject?.name)}.pkg -target /`,
}

const fileNameOf = (name = 'setup') => name.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')
