import { execFile } from 'node:child_process'
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

/** Installs the tools that make installers, if they are missing. Without them, these tests fail. */
export function requireTools(): void {
  const reason = installDebianPackages()
  if (reason) throw new Error(`The tools that make installers are missing: ${reason}`)
}
