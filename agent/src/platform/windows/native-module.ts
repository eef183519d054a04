import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { getAsset, isSea } from 'node:sea'

/** Where koffi looks for its native module, below `process.resourcesPath`. */
const pathBelow = join('koffi', `win32_${process.arch}`, 'koffi.node')

/**
 * In the single executable, the native module of koffi is an asset, and Windows loads modules only from files. The file is
 * beside the executable, where only administrators can write if the agent is installed. It is loaded only with the known
 * content: anyone who could replace it would act as SYSTEM.
 */
if (isSea()) {
  const content = Buffer.from(getAsset('koffi.node'))
  Object.assign(process, { resourcesPath: provide(content) })
}

function provide(content: Buffer): string {
  const own = dirname(process.execPath)
  if (isPresent(own, content)) return own
  try {
    write(own, content)
    return own
  } catch {
    // A user who may not write there gets a private copy.
    const folder = mkdtempSync(join(tmpdir(), 'muster-agent-'))
    write(folder, content)
    return folder
  }
}

function isPresent(folder: string, content: Buffer): boolean {
  try {
    return sha256(readFileSync(join(folder, pathBelow))) === sha256(content)
  } catch {
    return false
  }
}

function write(folder: string, content: Buffer): void {
  const path = join(folder, pathBelow)
  mkdirSync(dirname(path), { recursive: true })
  const fresh = `${path}.${process.pid}`
  writeFileSync(fresh, content)
  renameSync(fresh, path)
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
