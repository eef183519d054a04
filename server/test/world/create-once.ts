import { existsSync } from 'node:fs'
import { mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'

/** A folder that all tests of the run share. The first test worker that needs it creates it; the others wait for it. */
export async function createOnce(name: string, create: (folder: string) => Promise<unknown>): Promise<string> {
  const finished = join(inject('installations'), name)
  const lock = `${finished}-lock`
  for (;;) {
    const isFirst = await mkdir(lock).then(
      () => true,
      () => false,
    )
    if (isFirst) return createUnlessFinished(finished, create).finally(() => rmdir(lock))
    await sleep(50)
  }
}

async function createUnlessFinished(finished: string, create: (folder: string) => Promise<unknown>): Promise<string> {
  if (existsSync(finished)) return finished
  const unfinished = `${finished}-not`
  await rm(unfinished, { recursive: true, force: true })
  await create(unfinished)
  await rename(unfinished, finished)
  return finished
}
