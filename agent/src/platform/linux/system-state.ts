import { readFileSync } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import type { SystemState } from '../machine.ts'

const rebootSign = '/run/reboot-required'

export const system: SystemState = {
  bootId,
  async bootTime() {
    const seconds = /^btime (\d+)$/m.exec(await readFile('/proc/stat', 'utf8'))?.[1]
    return new Date(Number(seconds ?? 0) * 1000)
  },
  findRebootSource: () =>
    access(rebootSign).then(
      () => rebootSign,
      () => null,
    ),
}

export function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
}
