import { getCACertificates } from 'node:tls'
import { agentVersion } from '../../version.ts'
import type { Platform } from '../platform.ts'
import { windowsChecks } from './checks.ts'
import { configure } from './commands/configure.ts'
import { removeState } from './commands/remove-state.ts'
import { serve } from './commands/service.ts'
import { useInstalledVersion } from './commands/use-installed-version.ts'
import { waitForEnd } from './commands/wait-for-end.ts'
import { computer } from './computer.ts'
import { detection } from './detection.ts'
import { files, instance } from './files.ts'
import { takeFootprint } from './footprint.ts'
import { inventory } from './inventory/index.ts'
import { patches } from './patches/index.ts'
import { paths } from './paths.ts'
import { power } from './power.ts'
import { isPresentation, presentingCode } from './presentation.ts'
import { processes } from './processes.ts'
import { program } from './program.ts'
import { service } from './service.ts'
import { system } from './system-state.ts'
import { userChannel } from './user-channel.ts'
import { userPrograms } from './user-programs.ts'
import { users } from './users.ts'
import { readNotificationState } from './win32/notification-state.ts'
import { readLanguageNumber } from './win32/user-language.ts'

export const windows: Platform = {
  name: 'Windows',
  paths,
  files,
  instance,
  processes,
  power,
  users,
  userPrograms,
  userChannel,
  system,
  service,
  computer,
  inventory,
  patches,
  detection,
  takeFootprint,
  program,
  systemAuthorities: () => getCACertificates('system'),
  selftest: windowsChecks,
  commands: {
    service: { usage: 'service – what the service manager of Windows starts', run: (_, agent) => serve(agent) },
    configure: {
      usage:
        'configure [--server <url>] [--token <token>] [--ca <file>] [--trust-key <key>] – writes the configuration file',
      run: configure,
    },
    'is-version': {
      usage: 'is-version – exits with 0 if the agent has the version of the package whose command this is',
      run: async () => {
        process.exitCode = process.env.MUSTER_PACKAGE_VERSION === agentVersion ? 0 : 1
      },
    },
    'is-presenting': {
      usage: `is-presenting – exits with ${presentingCode} if the user of this session is presenting`,
      run: async () => {
        process.exitCode = isPresentation(readNotificationState()) ? presentingCode : 0
      },
    },
    'user-language': {
      usage: 'user-language – exits with the number that Windows has for the language of the user of this session',
      run: async () => {
        process.exitCode = readLanguageNumber()
      },
    },
    'use-installed-version': {
      usage: 'use-installed-version – runs the installed version, even if the agent has updated itself to another one',
      run: useInstalledVersion,
    },
    'wait-for-end': { usage: 'wait-for-end – waits until no other process of the agent runs', run: waitForEnd },
    'remove-state': { usage: 'remove-state – removes everything that the agent has stored', run: removeState },
  },
}
