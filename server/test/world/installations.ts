import { rm } from 'node:fs/promises'
import type { TestProject } from 'vitest/node'
import { openTemporaryFolder } from './temporary-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder for what test workers create once for all tests, such as the installation that they copy. */
    installations: string
  }
}

/** The projects of a run share the folder. */
export async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const run = vitest.getRootProject()
  if (run.getProvidedContext().installations) return undefined
  const folder = await openTemporaryFolder()
  run.provide('installations', folder)
  return () => rm(folder, { recursive: true })
}
