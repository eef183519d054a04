import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
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

/**
 * Beside the executable, or in the profile of the account if that is not possible: a user may not write there, and anybody may
 * open the file so that nobody else can. Never in the folder for temporary files: that of SYSTEM is one in which every user
 * can create files, including in the folders of others.
 */
function provide(content: Buffer): string {
  const own = dirname(process.execPath)
  const inProfile = join(userInfo().homedir, 'AppData', 'Local', 'Muster')
  const found = [own, inProfile].find((folder) => isPresent(folder, content))
  if (found !== undefined) return found
  try {
    write(own, content)
    return own
  } catch {
    write(inProfile, content)
    return inProfile
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
