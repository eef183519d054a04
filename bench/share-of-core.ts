import { existsSync } from 'node:fs'
import { mkdir, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = '/sys/fs/cgroup'
const periodMicroseconds = 100_000

type Limit = { lift(): Promise<void> }

/**
 * Limits a process to a share of a core, as if it ran on a small machine of its own. Requires root and Linux control groups
 * (version 1 or 2). Returns undefined if they are not available.
 */
export async function limitToShareOfCore(pid: number, share: number): Promise<Limit | undefined> {
  const isUnified = existsSync(join(root, 'cgroup.controllers'))
  const parent = isUnified ? root : join(root, 'cpu')
  const group = join(parent, `muster-bench-${pid}`)
  const quota = Math.round(share * periodMicroseconds)
  try {
    if (isUnified) await writeFile(join(root, 'cgroup.subtree_control'), '+cpu')
    await mkdir(group)
    if (isUnified) await writeFile(join(group, 'cpu.max'), `${quota} ${periodMicroseconds}`)
    else await writeFile(join(group, 'cpu.cfs_quota_us'), String(quota))
    await writeFile(join(group, 'cgroup.procs'), String(pid))
  } catch {
    await rmdir(group).catch(() => undefined)
    return undefined
  }
  return {
    async lift() {
      await writeFile(join(parent, 'cgroup.procs'), String(pid)).catch(() => undefined)
      await rmdir(group)
    },
  }
}
