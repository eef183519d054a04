import { rm } from 'node:fs/promises'
import type { TestProject } from 'vitest/node'
import { openTemporaryFolder } from './temporary-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder for what test workers create once for all tests, such as the installation that they copy. */
    installations: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await openTemporaryFolder()
  project.provide('installations', folder)
  return () => rm(folder, { recursive: true })
}
