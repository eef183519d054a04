import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'
import { installDebianPackages } from '../../../../tools/debian-packages.ts'

const execute = promisify(execFile)

/** A folder for the files of a test, which is removed after it. */
export async function openSampleFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'muster-installers-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return {
    path: (name: string) => join(folder, name),
    run: (program: string, ...args: string[]) => execute(program, args, { cwd: folder, env: reproducible }),
    async write(name: string, content: string | Buffer): Promise<string> {
      await writeFile(join(folder, name), content)
      return join(folder, name)
    },
  }
}

export type SampleFolder = Awaited<ReturnType<typeof openSampleFolder>>

const reproducible = { ...process.env, SOURCE_DATE_EPOCH: '1700000000', LC_ALL: 'C.UTF-8' }

const tools = [
  'wixl',
  'msiinfo',
  'makensis',
  'osslsigncode',
  'rpmbuild',
  'mksquashfs',
  'dpkg-deb',
  'python3',
  'xz',
  'zstd',
]

const isMissing = (tool: string) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0

/** Installs the tools that make installers, if one is missing. Without them, these tests fail. */
export function requireTools(): void {
  if (!tools.some(isMissing)) return
  const reason = installDebianPackages()
  const missing = tools.filter(isMissing)
  if (missing.length > 0) throw new Error(`${missing.join(', ')} cannot be installed: ${reason}`)
}
