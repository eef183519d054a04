import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ipxeFolder = process.env.MUSTER_BENCH_IPXE ?? '/usr/lib/ipxe'
const ovmfFolder = process.env.MUSTER_BENCH_OVMF ?? '/usr/share/OVMF'

export const emulator = 'qemu-system-x86_64'
export const ovmf = {
  code: join(ovmfFolder, 'OVMF_CODE_4M.fd'),
  variables: join(ovmfFolder, 'OVMF_VARS_4M.fd'),
}
/** What the firmware loads over TFTP, as the guide recommends. */
export const loaders = { SeaBIOS: join(ipxeFolder, 'undionly.kpxe'), OVMF: join(ipxeFolder, 'snponly.efi') }

export type Firmware = keyof typeof loaders

/** One sentence about what is not installed; undefined if everything is. */
export async function findMissingTools(): Promise<string | undefined> {
  const files = [ovmf.code, ovmf.variables, ...Object.values(loaders)]
  const missing = [
    ...((await succeeds(promisify(execFile)(emulator, ['--version']))) ? [] : [emulator]),
    ...(await Promise.all(files.map(async (file) => ((await succeeds(access(file))) ? [] : [file])))).flat(),
  ]
  if (missing.length === 0) return undefined
  return `${missing.join(', ')} cannot be found (Debian: apt-get install qemu-system-x86 ovmf ipxe ipxe-qemu).`
}

async function succeeds(attempt: Promise<unknown>): Promise<boolean> {
  return attempt.then(
    () => true,
    () => false,
  )
}
