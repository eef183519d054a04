import { ExpectedError } from '../../../expected-error.ts'
import type { RpmTool } from './rpm-tool.ts'
import { reasonOf, requireTool, runWhenFree } from './tools.ts'

/** Exit codes that report something beside success: a restart must follow; zypper itself was updated; a repository was skipped. */
const [rebootCode, ...otherSuccesses] = [102, 103, 106]

/** What zypper prints if it ends at once because another program of libzypp is at work. */
export const zypperBusy = /System management is locked by/

const words = { install: ['install'], upgrade: ['install'], downgrade: ['install', '--oldpackage'], remove: ['remove'] }

export const zypper: RpmTool = {
  name: 'zypper',
  repositories: '/etc/zypp/repos.d',
  repositoryLines: ['autorefresh=1'],
  async change(how, name, version) {
    const target = version === undefined ? name : `${name}=${version}`
    const end = await runWhenFree(zypperBusy, 'zypper', ['--non-interactive', ...words[how], target])
    if (end.code === rebootCode) return true
    if (end.code === 0 || otherSuccesses.includes(end.code ?? -1)) return false
    throw new ExpectedError(`zypper failed: ${reasonOf(end)}`)
  },
  async isLocked(name) {
    const { output } = await requireTool('zypper', 'zypper', ['--non-interactive', 'locks'], false)
    return output.split('\n').some((line) => line.split('|')[1]?.trim() === name)
  },
  async setLock(name, keepVersion) {
    await requireTool('zypper', 'zypper', ['--non-interactive', keepVersion ? 'addlock' : 'removelock', name])
  },
}
