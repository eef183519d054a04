import type { RepositoryFamily } from '../../repository-packages.ts'
import { fieldsOf, osRelease } from '../operating-system.ts'
import { findTool } from './tools.ts'

const families: Record<RepositoryFamily, RegExp> = {
  deb: /^(debian|ubuntu|raspbian|linuxmint|kali|devuan)$/,
  rpm: /^(rhel|fedora|centos|rocky|almalinux|ol|amzn|suse|sles|sled|opensuse.*|mageia)$/,
}

export type System = { title: string; family: RepositoryFamily | undefined; isSuse: boolean }

/** The family of the distribution, by what it calls itself and its relatives: tools of other families can be installed as well. */
export async function readSystem(): Promise<System> {
  const fields = fieldsOf(await osRelease())
  const names = [fields.ID, ...(fields.ID_LIKE ?? '').split(' ')].filter((name) => name !== undefined)
  const family = (['deb', 'rpm'] as const).find((one) => names.some((name) => families[one].test(name)))
  return {
    title: fields.PRETTY_NAME ?? fields.NAME ?? 'Linux',
    family: family ?? findFamilyByTools(),
    isSuse: names.some((name) => /suse|^sle[sd]$/.test(name)),
  }
}

function findFamilyByTools(): RepositoryFamily | undefined {
  if (findTool('apt-get')) return 'deb'
  return findTool('dnf', 'yum', 'zypper') && 'rpm'
}
