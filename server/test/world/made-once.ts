import { existsSync } from 'node:fs'
import { mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'

/** A folder that is made once for the whole run: by the first test worker that needs it, while the others wait. */
export async function madeOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const finished = join(inject('installations'), name)
  const lock = `${finished}-lock`
  for (;;) {
    const isFirst = await mkdir(lock).then(
      () => true,
      () => false,
    )
    if (isFirst) return makeUnlessFinished(finished, make).finally(() => rmdir(lock))
    await sleep(50)
  }
}

async function makeUnlessFinished(finished: string, make: (folder: string) => Promise<void>): Promise<string> {
  if (existsSync(finished)) return finished
  const unfinished = `${finished}-unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished)
  await make(unfinished)
  await rename(unfinished, finished)
  return finished
}
