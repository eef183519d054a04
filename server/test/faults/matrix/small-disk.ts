import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const megabytes = 600

/** Mounts a file system of limited size on the folder. Returns why that is not possible, if so. */
export async function mountSmallDisk(folder: string): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'Only root on Linux can mount a small disk.'
  const options = `size=${megabytes}m,mode=0711`
  return promisify(execFile)('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).then(
    () => undefined,
    (error: Error) => `A small disk cannot be mounted: ${error.message.trim()}`,
  )
}

export async function unmountSmallDisk(folder: string): Promise<void> {
  await promisify(execFile)('umount', ['--lazy', folder])
}

const ballast = 'ballast'
const block = Buffer.alloc(64 * 1024)

/** Writes until no byte is free, in addition to what it has written before. */
export async function fillDisk(folder: string): Promise<void> {
  const file = createWriteStream(join(folder, ballast), { flags: 'a' })
  const full = once(file, 'error')
  let isFull = false
  void full.then(() => {
    isFull = true
  })
  while (!isFull) if (!file.write(block)) await Promise.race([once(file, 'drain').catch(() => {}), full])
  file.destroy()
}

export async function clearDisk(folder: string): Promise<void> {
  await rm(join(folder, ballast), { force: true })
}
