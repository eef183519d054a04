import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** The Chromium of the machine, or MUSTER_CHROMIUM; Debian's is installed where there is none and that is allowed. */
export async function findChromium(): Promise<string | undefined> {
  const { MUSTER_CHROMIUM: chosen } = process.env
  if (chosen) return chosen
  return (await inPath()) ?? ((await installed()) ? await inPath() : undefined)
}

async function inPath(): Promise<string | undefined> {
  const folders = (process.env.PATH ?? '').split(delimiter)
  for (const path of names.flatMap((name) => folders.map((folder) => join(folder, name)))) {
    const isProgram = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isProgram) return path
  }
  return undefined
}

async function installed(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false
  // Two workers may be here at once; the second waits for the first.
  const options = ['-o', 'DPkg::Lock::Timeout=600', '-y', '-q']
  try {
    await run('apt-get', [...options, 'update'])
    await run('apt-get', [...options, '--no-install-recommends', 'install', 'chromium'])
    return true
  } catch (error) {
    console.warn('Chromium could not be installed.', error)
    return false
  }
}

export const launchArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // Tests must not contact other machines.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
]
