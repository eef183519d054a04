import type { Platform } from '../platform.ts'
import { systemAuthorities } from './authorities.ts'
import { computer } from './computer.ts'
import { detection } from './detection.ts'
import { files, instance } from './files.ts'
import { takeFootprint } from './footprint.ts'
import { recordTools } from './inventory/recorded-access.ts'
import { linuxSections } from './inventory/sections.ts'
import { accessTo } from './inventory/system-access.ts'
import { linuxPatches } from './patches/index.ts'
import { power } from './power.ts'
import { processes } from './processes.ts'
import { program } from './program.ts'
import { repositoryPackages } from './repositories/index.ts'
import { service } from './service.ts'
import { system } from './system-state.ts'
import { ownState, systemState, userChannel } from './user-channel.ts'
import { userPrograms } from './user-programs.ts'
import { users } from './users.ts'

export const linux: Platform = {
  name: 'Linux',
  paths: {
    state() {
      const isRoot = process.getuid?.() === 0
      return isRoot ? systemState : ownState()
    },
    configuration: '/etc/muster-agent/agent.env',
  },
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
  inventory: (record) => linuxSections(record ? recordTools(accessTo('/'), record) : accessTo('/')),
  patches: linuxPatches,
  detection,
  takeFootprint,
  repositoryPackages,
  program,
  systemAuthorities,
}
